import { describe, expect, it, vi } from 'vitest'
import { basic, type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { consoleOf } from '../../test/console-session.ts'
import { disputePayment } from '../../test/dispute.ts'
import { newUser, signedInBrowser } from '../../test/oauth.ts'
import { newLink, openPayerClient, readLink, returnFromBank } from '../../test/payer-client.ts'
import { DAY_MS, type Json, openPaymentsClient } from '../../test/payments-client.ts'
import { planOf, recordStatements } from '../../test/statement-recorder.ts'
import {
  deliverAll,
  LOCAL_RECEIVERS,
  newWebhook,
  startReceiver,
} from '../../test/webhook-receiver.ts'
import type { TimelineEntry } from '../../shared/schemas/timeline.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { readTimeline } from './read-timeline.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 60_000 })

const app = await startTestApp({ CARD_TESTING_GUARD: '0', ...LOCAL_RECEIVERS })
const { deps, database } = app.checkstand
const receiver = await startReceiver()

const timelineOf = async ({ api }: Pick<Merchant, 'api'>, id: string): Promise<TimelineEntry[]> => {
  const { status, json, text } = await api(`/timeline?of=${id}`)
  expect(status, text).toBe(200)
  return json.timeline
}

/** What happened, oldest first. */
const titlesOf = (entries: TimelineEntry[]) => entries.map(({ title_id }) => title_id).toReversed()

const entryOf = (entries: TimelineEntry[], title: string) =>
  entries.find(({ title_id }) => title_id === title)

const post = async ({ api }: Merchant, path: string, body?: object): Promise<Json> => {
  const { status, json, text } = await api(path, { method: 'POST', ...(body && { body }) })
  expect(status, text).toBe(200)
  return Object.values(json)[0]
}

/** A link that is declined once and paid after a challenge. Its payment is refunded by a user and disputed. */
async function payWithTrouble() {
  const { merchant, email } = await newUser(app)
  await newWebhook(merchant, `${receiver.url}?token=secret`, { events: ['payment.success'] })
  const link = await newLink(merchant, { amount: '124.00', name: 'Workshop' })
  app.pass(60_000)
  const payer = await openPayerClient(app, link.id, {
    headers: { 'accept-language': 'fr' },
  })
  app.pass(60_000)
  expect((await payer.payByCard(CARDS.insufficient)).json.outcome).toBe('DECLINED')
  app.pass(60_000)
  const { url } = (await payer.payByCard(CARDS.challenge)).json.action
  app.pass(60_000)
  await returnFromBank(app, url)
  await deliverAll(app)
  const { payment } = await readLink(merchant, link.id)
  app.pass(DAY_MS)
  const asOwner = await consoleOf(app, await signedInBrowser(app, email))
  const { key } = merchant.instance
  const refunded = await asOwner(`/c/api/instances/${key}/payments/${payment}/refund`, {
    body: { refund: { amount: '24.00', reason: 'one place less' } },
    headers: { 'idempotency-key': 'refund-1' },
  })
  expect(refunded.status, refunded.text).toBe(200)
  app.pass(60_000)
  await disputePayment(app, merchant, payment)
  return { merchant, email, asOwner, link, payer, payment, refund: refunded.json.refund.id }
}

/** A customer whose saved card pays the first charge of a contract. */
async function makeCustomer() {
  const merchant = await app.newMerchant()
  const client = openPaymentsClient(app, merchant)
  const { account, method } = await client.storeCard()
  app.pass(1000)
  const recurring = { frequency: 'MONTH', count: 3 }
  const { contract, charge } = await client.pay(undefined, {
    account,
    payment_method: method,
    recurring,
  })
  app.pass(1000)
  const body = { account: { email: 'ada@shop.example' } }
  await merchant.api(`/accounts/${account}`, { method: 'PUT', body })
  return { merchant, account, contract, charge }
}

const shop = await payWithTrouble()
const customer = await makeCustomer()

describe('the timeline of a payment', () => {
  it('has its link, its session with all attempts, deliveries, refunds and disputes, newest first', async () => {
    const entries = await timelineOf(shop.merchant, shop.payment)
    expect(titlesOf(entries)).toEqual([
      'payment_link_created',
      'checkout_opened',
      'payment_declined',
      'checkout_challenged',
      'payment_success',
      'delivery_delivered',
      'refund_success',
      'reversal_open',
    ])
    expect(entries.map(({ at }) => at)).toEqual(
      entries
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    expect(entryOf(entries, 'checkout_opened')).toMatchObject({
      tone: 'calm',
      kind: 'checkout',
      values: { language: 'fr' },
      ids: { checkout: shop.payer.checkout.id },
    })
    expect(entryOf(entries, 'payment_declined')).toMatchObject({
      tone: 'bad',
      values: { amount: '124.00', currency: 'EUR', code: 'INSUFFICIENT_FUNDS' },
    })
    expect(entryOf(entries, 'payment_success')).toMatchObject({
      tone: 'ok',
      ids: { payment: shop.payment },
    })
  })

  it('names the path of a webhook without its query', async () => {
    const entries = await timelineOf(shop.merchant, shop.payment)
    expect(entryOf(entries, 'delivery_delivered')?.values).toEqual({
      type: 'payment.success',
      url: receiver.url,
      attempts: '1',
      response_status: '204',
    })
  })

  it('says which user refunded it, to users with the name', async () => {
    const refund = (entries: TimelineEntry[]) => entryOf(entries, 'refund_success')
    const byKey = refund(await timelineOf(shop.merchant, shop.payment))
    expect(byKey?.values).toEqual({ amount: '24.00', currency: 'EUR', reason: 'one place less' })
    expect(byKey?.actor).toMatchObject({ type: 'USER', name: null })
    const api = (path: string) =>
      shop.asOwner(`/c/api/instances/${shop.merchant.instance.key}${path}`)
    const byUser = refund(await timelineOf({ api }, shop.payment))
    expect(byUser?.actor).toEqual({ type: 'USER', id: byKey?.actor?.id, name: shop.email })
  })

  it('follows an authorization to its captures and its void', async () => {
    const merchant = await app.newMerchant()
    const client = openPaymentsClient(app, merchant)
    const authorisation = await client.authorise()
    app.pass(1000)
    const captured = await client.capture(authorisation.id, { amount: '10.00' })
    expect(captured.status).toBe(200)
    app.pass(1000)
    await client.release(authorisation.id)
    const entries = await timelineOf(merchant, authorisation.id)
    expect(titlesOf(entries)).toEqual(['payment_authorised', 'capture_success', 'void_success'])
    expect(entryOf(entries, 'capture_success')?.ids).toEqual({
      capture: captured.json.capture.id,
      payment: authorisation.id,
    })
  })

  it('keeps from events how long the outcome was unknown', async () => {
    const merchant = await app.newMerchant()
    const payment = await openPaymentsClient(app, merchant).pay(CARDS.noAnswerTaken)
    expect(payment.status).toBe('UNRESOLVED')
    const open = await timelineOf(merchant, payment.id)
    expect(open.map(({ title_id, tone }) => [title_id, tone])).toEqual([
      ['payment_unresolved', 'ask'],
    ])
    app.pass(3_600_000)
    await reconcileDue(deps)
    const known = await timelineOf(merchant, payment.id)
    expect(titlesOf(known)).toEqual(['payment_unresolved', 'payment_success'])
  })
})

describe('the timeline of a link', () => {
  it('has its edits with the names of what changed, and its end', async () => {
    const merchant = await app.newMerchant()
    const link = await newLink(merchant, { amount: '10.00', name: 'Tea' })
    app.pass(1000)
    const changed = await merchant.api(`/payment_links/${link.id}`, {
      method: 'PUT',
      body: {
        mode: 'PATCH',
        payment_link: { options: { amount: '12.00', description: 'With cake' } },
      },
    })
    expect(changed.status, changed.text).toBe(200)
    app.pass(1000)
    expect((await merchant.api(`/payment_links/${link.id}`, { method: 'DELETE' })).status).toBe(204)
    const entries = await timelineOf(merchant, link.id)
    expect(titlesOf(entries)).toEqual([
      'payment_link_created',
      'payment_link_updated',
      'payment_link_archived',
    ])
    const names = entryOf(entries, 'payment_link_updated')?.values['changed']?.split(', ')
    expect(names?.toSorted()).toEqual(['amount', 'description'])
  })

  it('and of its session say that the payer left', async () => {
    const merchant = await app.newMerchant()
    const link = await newLink(merchant, { amount: '10.00' })
    const payer = await openPayerClient(app, link.id)
    await payer.payByCard(CARDS.decline)
    app.pass(3 * DAY_MS)
    const ends = ['checkout_opened', 'payment_declined', 'checkout_abandoned']
    expect(titlesOf(await timelineOf(merchant, link.id))).toEqual(['payment_link_created', ...ends])
    const session = await timelineOf(merchant, payer.checkout.id)
    expect(titlesOf(session)).toEqual(['payment_link_created', ...ends])
  })
})

describe('the timelines of a customer, a contract and its charges', () => {
  it('have what was agreed, asked, paid and changed', async () => {
    const { merchant, account, contract, charge } = customer
    expect(titlesOf(await timelineOf(merchant, contract))).toEqual(
      expect.arrayContaining(['contract_created', 'charge_created', 'payment_success']),
    )
    const titles = titlesOf(await timelineOf(merchant, charge))
    expect(titles).toEqual(expect.arrayContaining(['charge_created', 'payment_success']))
    const entries = await timelineOf(merchant, account)
    expect(titlesOf(entries)).toEqual(
      expect.arrayContaining([
        'account_created',
        'payment_method_created',
        'payment_success',
        'contract_created',
        'account_updated',
      ]),
    )
    expect(entryOf(entries, 'account_updated')).toMatchObject({
      values: { changed: 'email' },
      actor: { type: 'API_KEY', name: null },
    })
    expect(entryOf(entries, 'account_created')?.actor?.id).toMatch(/^key_/)
  })
})

describe('a timeline', () => {
  it('leaves out what the caller may not read', async () => {
    const { merchant, link, payment } = shop
    const secret_key = { name: 'Links', scopes: ['payment_links:read'] }
    const { secret } = await post(merchant, '/secret_keys', { secret_key })
    const headers = { authorization: basic(`${secret}:`) }
    const asProgram = (id: string) => merchant.api(`/timeline?of=${id}`, { headers })
    const seen = (await asProgram(link.id)).json.timeline as TimelineEntry[]
    expect(new Set(seen.map(({ kind }) => kind))).toEqual(new Set(['checkout', 'payment_link']))
    const refused = await asProgram(payment)
    expect([refused.status, refused.json.error.message]).toEqual([
      403,
      'This secret key lacks the scope payments:read',
    ])
  })

  it.each([
    ['pay_1893499200000_6g7h8i9j0k1l2m3n', 'Payment not found'],
    ['pl_1893499200000_6g7h8i9j0k1l2m3n', 'Payment link not found'],
    ['evt_1893499200000_6g7h8i9j0k1l2m3n', 'Record not found'],
    ['order-1', 'Record not found'],
  ])('of %s is not found', async (id, message) => {
    const { status, json } = await shop.merchant.api(`/timeline?of=${id}`)
    expect([status, json.error.message]).toEqual([404, message])
  })

  it('says when there is more than it shows', async () => {
    const merchant = await app.newMerchant()
    const link = await newLink(merchant, { amount: '10.00' })
    const payer = await openPayerClient(app, link.id)
    const row = await deps.db
      .selectFrom('checkouts')
      .selectAll()
      .where('id', '=', payer.checkout.id)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 220 }, (_, at) => ({
      ...row,
      id: `ck_1893499200000_${String(at).padStart(16, '0')}`,
      token_hash: `${at}`,
    }))
    await deps.db.insertInto('checkouts').values(copies).execute()
    const { json } = await merchant.api(`/timeline?of=${link.id}`)
    expect([json.timeline.length, json.complete]).toEqual([200, false])
    expect((await merchant.api(`/timeline?of=${shop.link.id}`)).status).toBe(404)
  })

  it('is read by indexes alone', async () => {
    const instanceId = shop.merchant.instance.id
    const recorder = recordStatements(deps)
    const query = { instanceId, now: '2030-05-03T00:00:00.000Z', permitted: undefined }
    for (const root of [
      { kind: 'payment', id: shop.payment },
      { kind: 'payment_link', id: shop.link.id },
      { kind: 'account', id: customer.account },
      { kind: 'contract', id: customer.contract },
    ] as const) {
      await readTimeline(recorder.db, { ...query, root, withNames: true })
    }
    const statements = recorder.take()
    expect(statements.length).toBeGreaterThan(20)
    if (database.kind === 'postgres') return
    for (const statement of statements) {
      for (const step of await planOf(deps.db, 'sqlite', statement)) {
        expect(step, statement.sql).not.toMatch(/^SCAN|\(instance_id=\?\)$/)
      }
    }
  })
})
