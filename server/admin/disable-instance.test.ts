import { describe, expect, it } from 'vitest'
import { getInstance, updateInstance } from '../instances/store.ts'
import { inTransaction } from '../db/transaction.ts'
import { afterEachRead } from '../../test/after-each-read.ts'
import { basic, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { cardToken, completeChallenge, newLink, openPayerClient } from '../../test/payer-client.ts'
import { disableInstance, enableInstance } from './disable-instance.ts'
import { listGrants } from '../oauth/grant-store.ts'
import {
  PASSWORD,
  approve,
  locationOf,
  newBrowser,
  newCode,
  newPlatform,
  newTokens,
  newUser,
  signIn,
  withToken,
} from '../../test/oauth.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const platform = await newPlatform(app)

const disable = (id: string) => disableInstance(deps, id)

async function newShop() {
  const { merchant, email } = await newUser(app)
  const { id, key } = merchant.instance
  const byPassword = () =>
    app.call(`/c/api/instances/${key}/accounts`, {
      headers: { authorization: basic(`${email}:${PASSWORD}`) },
    })
  return { merchant, email, id, byPassword }
}

describe('a disabled instance', () => {
  it('rejects every key and user, remembered ones included', async () => {
    const { merchant, id, byPassword } = await newShop()
    expect((await merchant.api('/accounts')).status).toBe(200)
    expect((await byPassword()).status).toBe(200)
    expect(await disable(id)).toBe(true)
    const byKey = await merchant.api('/accounts')
    expect([byKey.status, byKey.json.code]).toEqual([401, 'UNAUTHORIZED'])
    const response = await byPassword()
    expect([response.status, response.json.error.message]).toEqual([404, 'Instance not found'])
    expect(await disable(id)).toBe(false)
  })

  it('revokes its tokens, refresh tokens and codes', async () => {
    const { email, id } = await newShop()
    const tokens = await newTokens(app, email, platform)
    const code = await newCode(app, email, platform)
    const api = withToken(app, tokens.access_token)
    expect((await api('/accounts')).status).toBe(200)
    await disable(id)
    expect((await api('/accounts')).status).toBe(401)
    expect((await platform.refresh(tokens.refresh_token)).json.error).toBe('invalid_grant')
    expect((await platform.exchange(code)).json.error).toBe('invalid_grant')
    expect(await listGrants(deps.db, id)).toEqual([])
    await enableInstance(deps, id)
    expect((await api('/accounts')).status).toBe(401)
    expect((await platform.refresh(tokens.refresh_token)).json.error).toBe('invalid_grant')
  })

  it('cannot be authorized; another instance of the merchant can', async () => {
    const { merchant, email, id } = await newShop()
    const { name } = await deps.db
      .selectFrom('merchants')
      .select('name')
      .where('id', '=', merchant.instance.merchant_id)
      .executeTakeFirstOrThrow()
    await app.newMerchant({ merchant: name, key: 'second', name: 'Second shop' })
    const browser = newBrowser(app)
    const path = platform.request()
    await signIn(browser, locationOf(await browser.get(path)), email)
    const page = await browser.get(path)
    await disable(id)
    const refused = await browser.send(path, page, { decision: 'approve', instance: 'default' })
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null])
    expect(refused.text).toContain('Second shop')
    expect(refused.text).not.toContain('Corner Shop')
    const sent = await approve(app, email, path, { instance: 'second' })
    expect(sent.get('code')).toMatch(/^cd_/)
  })

  it('keeps its grants revoked after it is enabled again', async () => {
    const { email, id } = await newShop()
    const plain = deps.db
    const browser = newBrowser(app)
    const path = platform.request()
    await signIn(browser, locationOf(await browser.get(path)), email)
    for (let moment = 1, isShut = true; isShut; moment += 1) {
      const page = await browser.get(path)
      let reads = 0
      isShut = false
      deps.db = afterEachRead(plain, async () => {
        reads += 1
        if (reads === moment) isShut = await disableInstance({ ...deps, db: plain }, id)
      })
      const form = { decision: 'approve', instance: 'default' }
      const { status } = await browser.send(path, page, form)
      deps.db = plain
      await enableInstance(deps, id)
      const grants = await listGrants(deps.db, id)
      expect([moment, status, grants.length]).toEqual([moment, ...(isShut ? [400, 0] : [303, 1])])
    }
  })

  it('is not reachable with a code from an earlier consent page', async () => {
    const { email, id } = await newShop()
    const tokens = await newTokens(app, email, platform)
    await disable(id)
    // As if the approval had been stored a moment after the instance was shut.
    await deps.db
      .updateTable('oauth_grants')
      .set({ revoked: null })
      .where('instance_id', '=', id)
      .execute()
    expect((await withToken(app, tokens.access_token)('/accounts')).status).toBe(401)
  })

  it('cannot be paid, and its links look archived', async () => {
    const { merchant, id } = await newShop()
    const [open, archived, paid] = [
      await newLink(merchant),
      await newLink(merchant),
      await newLink(merchant),
    ]
    await (await openPayerClient(app, paid.id)).payByCard(CARDS.approve)
    await merchant.api(`/payment_links/${archived.id}`, { method: 'DELETE' })
    const payer = await openPayerClient(app, open.id)
    await disable(id)
    const [page, other] = [await app.call(`/pay/${open.id}`), await app.call(`/pay/${archived.id}`)]
    expect([page.status, page.text]).toEqual([410, other.text])
    expect((await app.call(`/pay/${open.id}/checkouts`, { body: {} })).status).toBe(410)
    expect((await app.call(`/pay/${open.id}/qr.svg`)).status).toBe(410)
    expect((await payer.payByCard(CARDS.approve)).json).toEqual({
      outcome: 'GONE',
      message_id: 'status.unavailable',
    })
    expect((await app.call(`/pay/${paid.id}`)).status).toBe(200)
  })

  it('accepts no new payment on an open page', async () => {
    const { merchant, id } = await newShop()
    const link = await newLink(merchant)
    const plain = deps.db
    for (let moment = 1, outcome = 'GONE'; outcome === 'GONE'; moment += 1) {
      const payer = await openPayerClient(app, link.id)
      const payment_method = { token: await cardToken(app, CARDS.approve) }
      let reads = 0
      let attempts: unknown[] = []
      deps.db = afterEachRead(plain, async () => {
        reads += 1
        if (reads !== moment) return
        attempts = await plain
          .selectFrom('attempts')
          .select('id')
          .where('instance_id', '=', id)
          .execute()
        await disableInstance({ ...deps, db: plain }, id)
      })
      outcome = (await payer.submit({ payment_method })).json.outcome
      deps.db = plain
      expect([moment, outcome]).toEqual([moment, attempts.length === 0 ? 'GONE' : 'COMPLETED'])
      await enableInstance(deps, id)
    }
  })

  it('settles payments in progress', async () => {
    const { merchant, id } = await newShop()
    const link = await newLink(merchant)
    const payer = await openPayerClient(app, link.id)
    const { action } = (await payer.payByCard(CARDS.challenge)).json
    await disable(id)
    const { pathname } = new URL(await completeChallenge(app, action.url, 'approve'))
    expect((await app.call(pathname)).status).toBe(303)
    expect((await payer.current()).json.checkout.result.outcome).toBe('COMPLETED')
  })
})

describe('an enabled instance', () => {
  it('works as before for keys, users and payers', async () => {
    const { merchant, id, byPassword } = await newShop()
    const link = await newLink(merchant)
    const before = (await merchant.api(`/payment_links/${link.id}`)).text
    await disable(id)
    expect(await enableInstance(deps, id)).toBe(true)
    expect((await merchant.api(`/payment_links/${link.id}`)).text).toBe(before)
    expect((await byPassword()).status).toBe(200)
    const payer = await openPayerClient(app, link.id)
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect(await enableInstance(deps, id)).toBe(false)
  })
})

it('a concurrent change of settings does not enable the instance', async () => {
  const { merchant, id } = await newShop()
  const read = await getInstance(deps.db, id)
  await disable(id)
  const renamed = { ...read, name: 'Renamed', v: read.v + 1 }
  const changed = await inTransaction(deps.db, (tx) => updateInstance(tx, renamed, read.v))
  expect(changed).toBe(true)
  expect((await merchant.api('/accounts')).status).toBe(401)
})

it('disabling an instance does not affect others', async () => {
  const [closing, staying] = [await newShop(), await newShop()]
  const tokens = await newTokens(app, staying.email, platform)
  await disable(closing.id)
  expect((await staying.merchant.api('/accounts')).status).toBe(200)
  expect((await withToken(app, tokens.access_token)('/accounts')).status).toBe(200)
  expect(await enableInstance(deps, staying.id)).toBe(false)
})
