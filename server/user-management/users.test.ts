import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { basic, type Call, type Merchant, startTestApp, type TestApp } from '../../test/app.ts'
import { consoleOf } from '../../test/console-session.ts'
import {
  locationOf,
  newBrowser,
  newColleague,
  newPlatform,
  newTokens,
  newUser,
  openConsole,
  PASSWORD,
  signedInBrowser,
  withToken,
} from '../../test/oauth.ts'
import { BASE } from '../../test/client.ts'
import { errorSummary } from '../../test/payments-client.ts'
import { createInstance } from '../admin/create-instance.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 60_000 })

const app = await startTestApp()
const { deps } = app.checkstand
const DAY = 86_400_000

/** Calls the API as the user of a merchant, with their password. */
const as =
  ({ instance }: Pick<Merchant, 'instance'>, email: string) =>
  (path: string, call: Call = {}) =>
    app.call(`/c/api/instances/${instance.key}${path}`, {
      ...call,
      headers: { authorization: basic(`${email}:${PASSWORD}`), ...call.headers },
    })

/** An owner who signed in at the console, and their merchant. */
async function newOwner(on: TestApp = app) {
  const { merchant, email } = await newUser(on)
  const browser = await signedInBrowser(on, email)
  const console = await consoleOf(on, browser)
  const call = (path: string, call: Call = {}) =>
    console(`/c/api/instances/${merchant.instance.key}${path}`, call)
  const { user } = (await call('/whoami')).json.whoami
  return { merchant, email, id: user.id as string, call, browser }
}

const newEmail = () => `eve-${randomUUID()}@shop.example`

async function invite(call: Awaited<ReturnType<typeof newOwner>>['call'], user: object = {}) {
  const answer = await call('/users', {
    body: { user: { email: newEmail(), role: 'EDITOR', ...user } },
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.user
}

const put = (id: string, user: object, more: Call = {}) =>
  [`/users/${id}`, { method: 'PUT', body: { user }, ...more }] as const

/** Opens the link of an invitation and sends its form. */
async function accept(url: string, password = PASSWORD, browser = newBrowser(app)) {
  return { browser, answer: await browser.submit(url.slice(BASE.length), { password }) }
}

const rowOf = (id: string) =>
  deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('an invited user', () => {
  it('chooses a password at a link that works once, and signs in', async () => {
    const { call } = await newOwner()
    const user = await invite(call, { name: 'Eve', languages: ['fr', 'de', 'fr'] })
    expect(user).toMatchObject({
      id: expect.stringMatching(/^usr_/),
      name: 'Eve',
      role: 'EDITOR',
      instances: null,
      languages: ['de', 'fr'],
      factors: [],
      last_seen: null,
      disabled: false,
      v: 1,
    })
    const { url, expires } = user.invitation
    expect(Date.parse(expires) - app.now()).toBe(7 * DAY)
    expect(url).toMatch(/^http:\/\/shop\.test\/sign-in\/invitation\/iv_[\w-]{43}$/)
    const links = await deps.db.selectFrom('first_sign_ins').selectAll().execute()
    expect(JSON.stringify(links)).not.toContain(url.split('/').pop())

    const page = await newBrowser(app).get(url.slice(BASE.length))
    expect(page.text).toContain(user.email)
    const short = await accept(url, 'short')
    expect([short.answer.status, short.answer.text]).toEqual([
      400,
      expect.stringContaining('At least 12 characters'),
    ])
    const { answer, browser } = await accept(url)
    expect(locationOf(answer)).toBe('/console')
    expect((await openConsole(browser))?.user.email).toBe(user.email)
    const late = await newBrowser(app).get(url.slice(BASE.length))
    expect([late.status, late.text]).toEqual([410, expect.stringContaining('used before')])
    const { json } = await call(`/users/${user.id}`)
    expect(json.user).toMatchObject({ invitation: null, last_seen: expect.any(String), v: 2 })
  })

  it('cannot sign in before, or with the link of an earlier or expired invitation', async () => {
    const { call, merchant } = await newOwner()
    const user = await invite(call)
    expect((await as(merchant, user.email)('/whoami')).status).toBe(401)
    const headers = { authorization: basic(`${user.email}:`) }
    expect((await app.call('/c/api/instances/default/whoami', { headers })).status).toBe(401)
    const again = await call(`/users/${user.id}/invitation`, { body: {} })
    const { url } = again.json.user.invitation
    expect((await accept(user.invitation.url).catch(() => undefined))?.answer.status).not.toBe(303)
    expect((await newBrowser(app).get(user.invitation.url.slice(BASE.length))).status).toBe(410)
    app.pass(8 * DAY)
    expect((await newBrowser(app).get(url.slice(BASE.length))).status).toBe(410)
  })

  it('is made once under an Idempotency-Key, whose stored response has no link', async () => {
    const { call } = await newOwner()
    const body = { user: { email: newEmail(), role: 'VIEWER' } }
    const headers = { 'idempotency-key': 'invite' }
    const first = await call('/users', { body, headers })
    const again = await call('/users', { body, headers })
    const { url, ...invitation } = first.json.user.invitation
    expect(url).toContain('/sign-in/invitation/')
    expect(again.json.user).toEqual({ ...first.json.user, invitation })
    const taken = await call('/users', { body: { user: { ...body.user, role: 'OWNER' } } })
    expect(errorSummary(taken).slice(0, 2)).toEqual([400, 'DUPLICATE'])
    const kept = await deps.db.selectFrom('idempotency_keys').select('body').execute()
    expect(JSON.stringify(kept)).not.toContain('/sign-in/invitation/')
  })

  it('who has a password keeps it and their second factor until another one is chosen', async () => {
    const { call, merchant } = await newOwner()
    const user = await newColleague(app, merchant, { role: 'SUPPORT' })
    await deps.db
      .insertInto('user_factors')
      .values({
        id: `uf_${user.id}`,
        user_id: user.id,
        kind: 'TOTP',
        name: null,
        secret: null,
        credential_id: null,
        public_key: null,
        transports: null,
        counter: 0,
        created: user.created,
        confirmed: user.created,
        last_used: null,
      })
      .execute()
    const { json } = await call(`/users/${user.id}/invitation`, { body: {} })
    expect(json.user.factors).toEqual(['TOTP'])
    expect((await rowOf(user.id)).password_hash).toBe(user.password_hash)
    const { answer, browser } = await accept(json.user.invitation.url, 'another kind password')
    expect(locationOf(answer)).toBe('/sign-in/code')
    expect(await openConsole(browser)).toBeUndefined()
  })
})

describe('users', () => {
  it.each([
    [{ email: 'nobody' }, 'user.email must be an email address'],
    [{ role: 'ADMIN' }, 'user.role must be OWNER, DEVELOPER, SUPPORT, EDITOR, VIEWER'],
    [{ languages: ['fr'], role: 'VIEWER' }, 'user.languages applies to the role EDITOR only'],
    [{ languages: ['zz'] }, 'user.languages.0 must be an ISO 639-1 code or default'],
    [{ instances: ['elsewhere'] }, 'user.instances.0 is not an instance of the merchant'],
  ])('refuse %j', async (members, message) => {
    const { call } = await newOwner()
    const user = { email: newEmail(), role: 'EDITOR', ...members }
    expect(errorSummary(await call('/users', { body: { user } }))).toEqual([
      400,
      'INVALID_REQUEST',
      message,
    ])
  })

  it('are listed, read and changed by version, within the merchant only', async () => {
    const { call, id, email } = await newOwner()
    const stranger = await newOwner()
    const user = await invite(call)
    const { json } = await call('/users?criteria=role=EDITOR')
    expect(json.users.map((each: { id: string }) => each.id)).toEqual([user.id])
    expect((await call(`/users?criteria=email=${email}`)).json.users[0].id).toBe(id)
    const changed = await call(...put(user.id, { name: 'Eve' }, { headers: { 'if-match': '1' } }))
    expect(changed.json.user).toMatchObject({ name: 'Eve', v: 2 })
    expect((await call(...put(user.id, { name: 'Eve' }))).json.user.v).toBe(2)
    const late = await call(...put(user.id, { name: 'E' }, { headers: { 'if-match': '1' } }))
    expect(late.status).toBe(409)
    for (const [path, init] of [
      [`/users/${user.id}`, {}],
      put(user.id, { name: 'Mine' }),
      [`/users/${user.id}`, { method: 'DELETE' }],
      [`/users/${user.id}/invitation`, { body: {} }],
      [`/user_sessions?user=${id}`, { method: 'DELETE' }],
    ] as [string, Call][]) {
      expect((await stranger.call(path, init)).status, path).toBe(404)
    }
    expect((await stranger.call('/users')).json.users).toHaveLength(1)
  })

  it('with another role or disabled, are signed out and lose what they approved', async () => {
    const { call, merchant } = await newOwner()
    const platform = await newPlatform(app)
    for (const change of [{ role: 'OWNER' }, { disabled: true }, { instances: ['default'] }]) {
      const user = await newColleague(app, merchant, { role: 'DEVELOPER' })
      const tokens = await newTokens(app, user.email, platform)
      const browser = await signedInBrowser(app, user.email)
      expect((await call(...put(user.id, { name: 'Grace' }))).status).toBe(200)
      expect(await openConsole(browser)).toBeDefined()
      expect((await call(...put(user.id, change))).status).toBe(200)
      expect(await openConsole(browser), JSON.stringify(change)).toBeUndefined()
      expect((await platform.refresh(tokens.refresh_token)).status).toBe(400)
      expect((await withToken(app, tokens.access_token)('/whoami')).status).toBe(401)
    }
  })

  it('are removed with their sessions and factors, and their email can be invited again', async () => {
    const { call, merchant } = await newOwner()
    const user = await newColleague(app, merchant, { role: 'SUPPORT' })
    const browser = await signedInBrowser(app, user.email)
    expect((await call(`/users/${user.id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await openConsole(browser)).toBeUndefined()
    expect((await call(`/users/${user.id}`)).status).toBe(404)
    expect((await as(merchant, user.email)('/whoami')).status).toBe(401)
    expect((await invite(call, { email: user.email })).id).not.toBe(user.id)
  })

  it('do not change their own access, and the last owner stays one', async () => {
    const { call, id, merchant } = await newOwner()
    const own = [400, 'INVALID_STATE', 'Your own access is changed by another owner']
    for (const change of [{ role: 'VIEWER' }, { instances: ['default'] }, { disabled: true }]) {
      expect(errorSummary(await call(...put(id, change)))).toEqual(own)
    }
    expect(errorSummary(await call(`/users/${id}`, { method: 'DELETE' }))).toEqual(own)
    expect((await call(...put(id, { name: 'Ada' }))).status).toBe(200)
    // A key of the only instance is no owner; nor is a user who has not accepted yet.
    const invited = await invite(call, { role: 'OWNER' })
    expect(errorSummary(await merchant.api(...put(id, { role: 'VIEWER' }))).slice(0, 2)).toEqual([
      403,
      'FORBIDDEN',
    ])
    await accept(invited.invitation.url)
    const second = as(merchant, invited.email)
    expect((await second(...put(id, { role: 'VIEWER' }))).status).toBe(200)
    expect(errorSummary(await second(...put(invited.id, { role: 'VIEWER' })))).toEqual(own)
  })

  it('who demote or remove each other at once leave one owner', async () => {
    const acts: ((id: string) => [string, Call])[] = [
      (id) => [`/users/${id}`, { method: 'PUT', body: { user: { role: 'VIEWER' } } }],
      (id) => [`/users/${id}`, { method: 'PUT', body: { user: { disabled: true } } }],
      (id) => [`/users/${id}`, { method: 'DELETE' }],
    ]
    for (const act of acts) {
      const { merchant } = await newUser(app)
      await deps.db
        .deleteFrom('users')
        .where('merchant_id', '=', merchant.instance.merchant_id)
        .execute()
      const owners = [await newColleague(app, merchant), await newColleague(app, merchant)] as const
      const [a, b] = owners
      // Both are authenticated before either of them writes.
      for (const { email } of owners) await as(merchant, email)('/whoami')
      const answers = await Promise.all([
        as(merchant, a.email)(...act(b.id)),
        as(merchant, b.email)(...act(a.id)),
      ])
      const done = answers.filter(({ status }) => status < 300)
      expect(done.length, answers.map(({ text }) => text).join()).toBe(1)
      const left = await deps.db
        .selectFrom('users')
        .selectAll()
        .where('merchant_id', '=', merchant.instance.merchant_id)
        .where('role', '=', 'OWNER')
        .where('disabled', 'is', null)
        .execute()
      expect(left).toHaveLength(1)
    }
  })

  it('are asked for a recent proof in the console', async () => {
    const { call, merchant } = await newOwner()
    const { id } = await newColleague(app, merchant)
    app.pass(11 * 60_000)
    const acts: [string, Call][] = [
      ['/users', { body: { user: { email: newEmail(), role: 'VIEWER' } } }],
      [`/users/${id}`, { method: 'PUT', body: { user: { name: 'X' } } }],
      [`/users/${id}`, { method: 'DELETE' }],
      [`/users/${id}/invitation`, { body: {} }],
    ]
    for (const act of acts) {
      expect(errorSummary(await call(...act)).slice(0, 2)).toEqual([403, 'STEP_UP_REQUIRED'])
    }
    expect((await call('/users')).status).toBe(200)
  })

  it('give no more than they have: neither roles without the permission nor keys and limited owners', async () => {
    const { merchant, call } = await newOwner()
    const other = await createInstance(deps, {
      merchant: (await merchantName(merchant)) as string,
      key: 'other',
      name: 'Other',
    })
    for (const role of ['DEVELOPER', 'SUPPORT', 'EDITOR', 'VIEWER'] as const) {
      const { email } = await newColleague(app, merchant, { role })
      expect((await as(merchant, email)('/users')).status).toBe(403)
    }
    const limited = await newColleague(app, merchant, {
      instances: JSON.stringify([merchant.instance.id]),
    })
    const elsewhere = await invite(call, { instances: ['other'] })
    expect(elsewhere.instances).toEqual(['other'])
    for (const api of [merchant.api, as(merchant, limited.email)]) {
      const body = (instances: string[] | null) => ({
        body: { user: { email: newEmail(), role: 'OWNER', instances } },
      })
      for (const instances of [null, ['other']]) {
        expect((await api('/users', body(instances))).status).toBe(403)
      }
      const made = await api('/users', body(['default']))
      expect([made.status, made.json.user.instances]).toEqual([200, ['default']])
      expect((await api(...put(made.json.user.id, { instances: null }))).status).toBe(403)
      expect((await api(`/users/${elsewhere.id}`)).status).toBe(404)
    }
    expect(other.instance.merchant_id).toBe(merchant.instance.merchant_id)
  })
})

describe('user sessions', () => {
  it('are seen and ended: one’s own by everyone, others’ by owners', async () => {
    const { call, merchant, id } = await newOwner()
    const editor = await newColleague(app, merchant, { role: 'EDITOR' })
    const browsers = [
      await signedInBrowser(app, editor.email),
      await signedInBrowser(app, editor.email),
    ] as const
    const console = await consoleOf(app, browsers[0])
    const own = (path: string, init?: Call) =>
      console(`/c/api/instances/${merchant.instance.key}${path}`, init)
    const listed = (await own('/user_sessions')).json.user_sessions
    expect(listed).toHaveLength(2)
    expect(listed.map(({ user }: { user: string }) => user)).toEqual([editor.id, editor.id])
    expect(listed.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
    expect(JSON.stringify(listed)).not.toMatch(/hash|authenticated/)
    expect((await call('/user_sessions')).json.user_sessions).toHaveLength(3)
    const { json } = await call(`/user_sessions?criteria=user=${id}`)
    expect(json.user_sessions).toHaveLength(1)
    const [ownersSession] = json.user_sessions
    expect((await own(`/user_sessions/${ownersSession.id}`)).status).toBe(404)
    expect((await own(`/user_sessions/${ownersSession.id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await own(`/user_sessions?user=${id}`, { method: 'DELETE' })).status).toBe(403)

    expect((await own('/user_sessions', { method: 'DELETE' })).status).toBe(204)
    expect(await openConsole(browsers[1])).toBeUndefined()
    const [left] = (await own('/user_sessions')).json.user_sessions
    expect((await call(`/user_sessions/${left.id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await openConsole(browsers[0])).toBeUndefined()
    await signedInBrowser(app, editor.email)
    const all = `/user_sessions?user=${editor.id}`
    expect((await call(all, { method: 'DELETE' })).status).toBe(204)
    expect((await call('/user_sessions')).json.user_sessions).toHaveLength(1)
  })

  it('need the name of a user from a secret key', async () => {
    const { merchant } = await newOwner()
    const answer = await merchant.api('/user_sessions', { method: 'DELETE' })
    expect(errorSummary(answer)).toEqual([400, 'INVALID_REQUEST', 'user must be the id of a user'])
  })
})

async function merchantName({ instance }: Merchant): Promise<string | undefined> {
  const merchant = await deps.db
    .selectFrom('merchants')
    .select('name')
    .where('id', '=', instance.merchant_id)
    .executeTakeFirst()
  return merchant?.name
}
