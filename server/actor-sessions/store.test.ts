import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import { basic, type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newLink, openPayerClient, readLink } from '../../test/payer-client.ts'
import { EXPANSIONS } from '../expansions.ts'
import { type Actor, findOrCreateActorSession, SYSTEM } from './store.ts'
import { insertSecretKey } from '../secret-keys/store.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const DAY_MS = 86_400_000
const BROWSER = { 'user-agent': 'shop/1.0' }

const EXPAND = '?expand=created_session,updated_session'
const make = async (
  { api }: Merchant = app.merchant,
  headers: Record<string, string> = BROWSER,
) => {
  const response = await api('/accounts', { body: { account: { crm_key: 'a' } }, headers })
  expect(response.status, response.text).toBe(200)
  return response.json.account
}
const sessionsOf = async (id: string, { api }: Merchant = app.merchant) => {
  const { created_session, updated_session } = (await api(`/accounts/${id}${EXPAND}`)).json.account
  return { created: created_session, updated: updated_session }
}

/** Another secret key of an instance. */
async function anotherKey({ instance }: Merchant): Promise<string> {
  const secret = newSecret('sk_test_default')
  const created = new Date(app.now()).toISOString()
  const hash = hashSecret(secret)
  await insertSecretKey(deps.db, { hash, instance_id: instance.id, secret, created })
  return secret
}

describe('a merchant’s caller', () => {
  it('has one session a day for one key and one program', async () => {
    const first = await make()
    expect(first.created_session).toMatch(/^ses_[0-9]+_[0-9a-z]+$/)
    expect(first.updated_session).toBe(first.created_session)
    app.pass(1000)
    expect((await make()).created_session).toBe(first.created_session)
    expect((await sessionsOf(first.id)).created).toEqual({
      id: first.created_session,
      type: 'API_KEY',
      user: null,
      client_id: null,
      checkout: null,
      ip: null,
      user_agent: 'shop/1.0',
      created: first.created,
    })
  })

  it('has another one on another day, which is a day of UTC', async () => {
    const before = await make()
    // The clock of these tests stands at noon, and a little after.
    app.pass(DAY_MS / 2)
    const after = await make()
    expect(after.created_session).not.toBe(before.created_session)
    app.pass(DAY_MS / 2 - 60_000)
    expect((await make()).created_session).toBe(after.created_session)
  })

  it('has another one with another key or another program', async () => {
    const merchant = await app.newMerchant()
    const secret = await anotherKey(merchant)
    const ids = [
      (await make(merchant)).created_session,
      (await make(merchant, { 'user-agent': 'shop/2.0' })).created_session,
      (await make(merchant, { ...BROWSER, authorization: basic(`${secret}:`) })).created_session,
    ]
    expect(new Set(ids).size).toBe(3)
  })

  it('is a user when one signed in with a password', async () => {
    const user = { email: 'ada@sessions.example', password: 'correct horse battery' }
    const merchant = await app.newMerchant({ user })
    const authorization = basic(`${user.email}:${user.password}`)
    const { id } = await make(merchant, { ...BROWSER, authorization })
    const row = await deps.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', user.email)
      .executeTakeFirstOrThrow()
    expect((await sessionsOf(id, merchant)).created).toMatchObject({ type: 'USER', user: row.id })
  })

  it('who changes an account is another one than who made it', async () => {
    const { id } = await make()
    app.pass(1000)
    const put = (account: object, headers: Record<string, string>) =>
      app.merchant.api(`/accounts/${id}`, { method: 'PUT', body: { account }, headers })
    await put({ company: 'X' }, { 'user-agent': 'console' })
    const { created, updated } = await sessionsOf(id)
    expect([created.user_agent, updated.user_agent]).toEqual(['shop/1.0', 'console'])
    // A change without an effect sets no session.
    await put({ company: 'X' }, BROWSER)
    expect((await sessionsOf(id)).updated.id).toBe(updated.id)
  })
})

describe('a payer', () => {
  it('acts as the session of their page', async () => {
    const link = await newLink(app.merchant, { amount: '1.00' })
    const payer = await openPayerClient(app, link.id)
    await payer.payByCard(CARDS.approve, { account: { first_name: 'Ada' } })
    const { account } = await readLink(app.merchant, link.id)
    expect((await sessionsOf(account)).created).toMatchObject({
      type: 'CHECKOUT',
      checkout: payer.checkout.id,
    })
  })

  it('of whom nothing is kept leaves no address and no program either', async () => {
    const link = await newLink(app.merchant, { amount: '1.00' })
    const payer = await openPayerClient(app, link.id)
    await payer.payByCard(CARDS.approve)
    const sessions = await deps.db
      .selectFrom('actor_sessions')
      .select('id')
      .where('checkout_id', '=', payer.checkout.id)
      .execute()
    expect(sessions).toEqual([])
  })
})

describe('a session', () => {
  const actor: Actor = {
    type: 'API_KEY',
    credential: 'hash',
    user: 'usr_1',
    client: 'client',
    checkout: 'ck_1',
    ip: '192.0.2.1',
    userAgent: 'shop/1.0',
  }

  it.each([
    ['type', { type: 'OAUTH' }],
    ['credential', { credential: 'other' }],
    ['user', { user: 'usr_2' }],
    ['client', { client: 'other' }],
    ['checkout', { checkout: 'ck_2' }],
    ['address', { ip: '192.0.2.2' }],
    ['program', { userAgent: 'shop/2.0' }],
  ] as [string, Partial<Actor>][])('is another one with another %s', async (_what, change) => {
    const { id } = app.merchant.instance
    const one = await findOrCreateActorSession(deps, id, actor)
    expect(await findOrCreateActorSession(deps, id, actor)).toBe(one)
    expect(await findOrCreateActorSession(deps, id, { ...actor, ...change })).not.toBe(one)
  })

  it('is another one in another instance', async () => {
    const other = await app.newMerchant()
    expect(await findOrCreateActorSession(deps, other.instance.id, actor)).not.toBe(
      await findOrCreateActorSession(deps, app.merchant.instance.id, actor),
    )
  })

  it('is one, however many first requests arrive together', async () => {
    const { instance } = await app.newMerchant()
    const ids = await Promise.all(
      Array.from({ length: 30 }, () => findOrCreateActorSession(deps, instance.id, actor)),
    )
    expect(new Set(ids).size).toBe(1)
  })

  it('is found again by a process that has not met it', async () => {
    const { id } = app.merchant.instance
    const cached = await findOrCreateActorSession(deps, id, actor)
    const another = { ...deps, db: deps.db.withoutPlugins() }
    expect(await findOrCreateActorSession(another, id, actor)).toBe(cached)
  })

  it('of the server names no user, client or checkout', async () => {
    const { id: instanceId } = app.merchant.instance
    const id = await findOrCreateActorSession(deps, instanceId, SYSTEM)
    const found = await EXPANSIONS['session']?.load?.(
      { db: deps.db, now: app.now, baseUrl: '' },
      instanceId,
      [id],
    )
    expect(found?.get(id)).toMatchObject({
      type: 'SYSTEM',
      user: null,
      client_id: null,
      checkout: null,
      ip: null,
      user_agent: null,
    })
  })

  it('takes a program’s name of any length and content', async () => {
    const { id } = app.merchant.instance
    const long = { ...actor, userAgent: `\0${'x'.repeat(5000)}` }
    expect(await findOrCreateActorSession(deps, id, long)).toMatch(/^ses_/)
  })

  it('cannot be created inside a transaction, which could roll back', async () => {
    const looking = inTransaction(deps.db, (db) =>
      findOrCreateActorSession({ ...deps, db }, app.merchant.instance.id, {
        ...actor,
        ip: '192.0.2.9',
      }),
    )
    await expect(looking).rejects.toThrow('must not run in a transaction')
  })
})

describe('the key of a caller', () => {
  it('is in no answer: neither a key, nor its hash, nor the session’s fingerprint', async () => {
    const merchant = await app.newMerchant()
    const { id, created_session } = await make(merchant)
    const row = await deps.db
      .selectFrom('actor_sessions')
      .selectAll()
      .where('id', '=', created_session)
      .executeTakeFirstOrThrow()
    const digest = createHash('sha256').update(merchant.secretKey).digest()
    const secrets = [
      merchant.secretKey,
      hashSecret(merchant.secretKey),
      digest.toString('hex'),
      digest.toString('base64url'),
      row.fingerprint,
    ]
    // The stored row holds no key either: only a hash over everything together.
    for (const secret of secrets.slice(0, -1)) expect(JSON.stringify(row)).not.toContain(secret)
    for (const path of [`/accounts/${id}${EXPAND}`, `/accounts${EXPAND}`, '/events']) {
      const response = await merchant.api(path)
      expect(response.status, response.text).toBe(200)
      expect(response.text).toContain(created_session)
      for (const secret of secrets) expect(response.text).not.toContain(secret)
    }
  })

  it('shows no session of another merchant, even where a record names it', async () => {
    const other = await app.newMerchant()
    const foreign = (await make(other)).created_session
    const { id } = await make()
    await deps.db
      .updateTable('accounts')
      .set({ created_session: foreign })
      .where('id', '=', id)
      .execute()
    expect((await sessionsOf(id)).created).toBe(foreign)
  })
})
