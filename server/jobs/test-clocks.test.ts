import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { newPlatform, newTokens, newUser, withToken } from '../../test/oauth.ts'
import { type Merchant, startTestApp } from '../../test/app.ts'
import {
  stubProcessor,
  DAY_MS,
  type Json,
  openPaymentsClient,
  errorSummary,
  recordedEvents,
} from '../../test/payments-client.ts'
import {
  cardToken,
  newLink,
  readLink,
  openNewLink,
  returnFromBank,
  payNewLink,
} from '../../test/payer-client.ts'
import { collectDue } from '../payments/collect-due-charges.ts'
import { nextDue } from './next-due-record.ts'
import { moveClock } from '../../test/test-clock-driver.ts'
import { runTestClocks } from './test-clocks.ts'

/** The fixed real time of these tests. */
const REAL = '2030-05-01T12:00:00.000Z'

const app = await startTestApp()
const { deps } = app.checkstand
const iso = (ms: number) => new Date(ms).toISOString()
const inDays = (days: number) => iso(app.now() + days * DAY_MS)
const post = ({ api }: Merchant, clock: unknown, headers = {}) =>
  api('/sandbox/clock', { body: { clock }, headers })
const read = async ({ api }: Merchant, path: string): Promise<Json> => (await api(path)).json
const typesOf = async (merchant: Merchant) =>
  (await recordedEvents(app, merchant)).map(({ type }) => type)

async function newShop() {
  const merchant = await app.newMerchant()
  return { ...app, merchant, till: openPaymentsClient(app, merchant) }
}

describe('the test clock of an instance', () => {
  it('shows the real time until it is moved, then stays ahead by the move', async () => {
    const merchant = await app.newMerchant()
    const { api } = merchant
    expect((await api('/sandbox/clock')).json).toEqual({
      clock: { now: REAL, target: null, offset_ms: 0 },
    })
    const begun = await post(merchant, { advance: 'P1M' })
    expect(begun.json).toEqual({
      clock: { now: REAL, target: '2030-06-01T12:00:00.000Z', offset_ms: 0 },
    })
    await runTestClocks(deps)
    const there = { now: '2030-06-01T12:00:00.000Z', target: null, offset_ms: 31 * DAY_MS }
    expect((await api('/sandbox/clock')).json).toEqual({ clock: there })
    expect(await moveClock(app, { now: '2030-06-01T14:00:00+01:00' }, merchant)).toMatchObject({
      now: '2030-06-01T13:00:00.000Z',
    })
  })

  it('is read and moved with a token that may read and write the instance', async () => {
    const { merchant, email } = await newUser(app)
    const platform = await newPlatform(app)
    const scoped = async (scope: string) =>
      withToken(app, (await newTokens(app, email, platform, { scope })).access_token)
    const reader = await scoped('instances:read')
    const writer = await scoped('instances:write')
    const body = { clock: { advance: 'PT1H' } }
    expect((await reader('/sandbox/clock')).status).toBe(200)
    expect((await reader('/sandbox/clock', { body })).status).toBe(403)
    expect((await writer('/sandbox/clock', { body })).status).toBe(200)
    await runTestClocks(deps)
    expect((await merchant.api('/sandbox/clock')).json.clock.offset_ms).toBe(3_600_000)
    // The token itself lives by the real clock.
    expect((await reader('/sandbox/clock')).json.clock.offset_ms).toBe(3_600_000)
  })

  it.each([
    [{}, 'clock must have either now or advance'],
    [{ now: '2031-01-01T00:00:00Z', advance: 'P1D' }, 'clock must have either now or advance'],
    [
      { now: '2031-01-01' },
      'clock.now must be an RFC 3339 date-time with an offset, such as 2030-01-31T09:00:00Z',
    ],
    [
      { advance: 'one month' },
      'clock.advance must be an ISO 8601 duration such as P1M, P14D or PT36H',
    ],
    [{ advance: '-P1D' }, 'clock.advance must be an ISO 8601 duration such as P1M, P14D or PT36H'],
    [{ back: true }, 'Unknown field clock.back'],
    [{ now: REAL }, `clock.now must be after ${REAL}, the current time of the instance`],
    [
      { now: '2030-05-01T11:59:59.999Z' },
      `clock.now must be after ${REAL}, the current time of the instance`,
    ],
    [{ advance: 'P0D' }, `clock.advance must be after ${REAL}, the current time of the instance`],
    [
      { advance: 'P5YT1S' },
      'clock.advance must not be after 2035-05-01T12:00:00.000Z, five years from now',
    ],
    [
      { now: '9999-12-31T23:59:59Z' },
      'clock.now must not be after 2035-05-01T12:00:00.000Z, five years from now',
    ],
  ])('is not moved by %j', async (clock, message) => {
    const refused = [400, 'INVALID_REQUEST', message]
    expect(errorSummary(await post(app.merchant, clock))).toEqual(refused)
    expect((await app.merchant.api('/sandbox/clock')).json.clock.offset_ms).toBe(0)
  })

  it('cannot move back, nor beyond five years in several moves', async () => {
    const merchant = await app.newMerchant()
    await moveClock(app, { advance: 'P3Y' }, merchant)
    for (const clock of [{ now: REAL }, { now: inDays(1000) }, { advance: 'P3Y' }]) {
      expect((await post(merchant, clock)).status, JSON.stringify(clock)).toBe(400)
    }
    await moveClock(app, { advance: 'P2Y' }, merchant)
  })

  it('cannot be moved while it is moving', async () => {
    const merchant = await app.newMerchant()
    await post(merchant, { advance: 'P1D' })
    expect(errorSummary(await post(merchant, { advance: 'P2D' }))).toEqual([
      409,
      'CONFLICT',
      `The clock is still moving to ${inDays(1)}`,
    ])
  })

  it('is moved once for one Idempotency-Key', async () => {
    const merchant = await app.newMerchant()
    const key = { 'idempotency-key': 'a day' }
    await post(merchant, { advance: 'P1D' }, key)
    await runTestClocks(deps)
    const again = await post(merchant, { advance: 'P1D' }, key)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    await runTestClocks(deps)
    expect((await read(merchant, '/sandbox/clock')).clock.now).toBe(inDays(1))
  })

  it('does not exist for a LIVE instance', async () => {
    const merchant = await app.newMerchant({ mode: 'LIVE' })
    const refused = [400, 'INVALID_STATE', 'Only a TEST instance has a test clock']
    expect(errorSummary(await merchant.api('/sandbox/clock'))).toEqual(refused)
    expect(errorSummary(await post(merchant, { advance: 'P1D' }))).toEqual(refused)
  })

  it('is kept when the settings of the instance change', async () => {
    const merchant = await app.newMerchant()
    await moveClock(app, { advance: 'P1D' }, merchant)
    const body = { instance: { name: 'Renamed' } }
    const { json } = await merchant.api('/instances/default', { method: 'PUT', body })
    expect(json.instance.updated).toBe(inDays(1))
    expect((await read(merchant, '/sandbox/clock')).clock.now).toBe(inDays(1))
  })
})

describe('by a test clock', () => {
  it('a link expires at its own time, on its page too', async () => {
    const merchant = await app.newMerchant()
    const link = await newLink(merchant, undefined, { expires: inDays(10) })
    await moveClock(app, { advance: 'P9D' }, merchant)
    expect((await readLink(merchant, link.id)).status).toBe('ACTIVE')
    expect((await app.call(`/pay/${link.id}`)).status).toBe(200)
    await moveClock(app, { advance: 'P2D' }, merchant)
    expect((await readLink(merchant, link.id)).status).toBe('EXPIRED')
    const gone = [`/pay/${link.id}`, `/pay/${link.id}/qr.svg`]
    for (const path of gone) expect((await app.call(path)).status, path).toBe(410)
    expect((await app.call(`/pay/${link.id}/checkouts`, { body: {} })).status).toBe(410)
    const { events } = await read(merchant, '/events?criteria=type=payment_link.expired')
    expect(events).toMatchObject([{ created: inDays(10) }])
    const response = await merchant.api('/payment_links', {
      body: { payment_link: { expires: inDays(5), options: {} } },
    })
    expect(response.json.error.message).toContain('expires')
  })

  it('a session expires at its own time and accepts no payment', async () => {
    const merchant = await app.newMerchant()
    const { payer } = await openNewLink({ ...app, merchant })
    await moveClock(app, { now: payer.checkout.expires }, merchant)
    expect((await payer.current()).json.checkout.status).toBe('EXPIRED')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).not.toBe('COMPLETED')
    const { events } = await read(merchant, '/events?criteria=type=checkout.expired')
    expect(events).toMatchObject([{ created: payer.checkout.expires }])
  })

  it('a session is opened, paid and recorded at the time of the instance', async () => {
    const merchant = await app.newMerchant()
    await moveClock(app, { advance: 'P1Y' }, merchant)
    const now = '2031-05-01T12:00:00.000Z'
    const { payer } = await openNewLink({ ...app, merchant })
    expect(payer.checkout).toMatchObject({ now, status: 'OPEN' })
    expect((await payer.payByCard(CARDS.challenge)).json.outcome).toBe('ACTION')
    const { action } = (await payer.current()).json.checkout.result
    await returnFromBank(app, action.url)
    expect((await payer.current()).json.checkout.status).toBe('COMPLETED')
    const { payments } = await read(merchant, '/payments')
    expect(payments).toMatchObject([{ created: now, processed: now, status: 'SUCCESS' }])
    const { events } = await read(merchant, '/events')
    expect(new Set(events.map(({ created }: Json) => created))).toEqual(new Set([now]))
  })

  it('a bank transfer settles as long after its confirmation as without the clock', async () => {
    const merchant = await app.newMerchant()
    await moveClock(app, { advance: 'P1Y' }, merchant)
    const { payer } = await openNewLink({ ...app, merchant })
    await payer.submit({ payment_method: { type: 'BANK_TRANSFER', processor: 'sandbox' } })
    const { action } = (await payer.current()).json.checkout.result
    await returnFromBank(app, action.url)
    expect((await payer.current()).json.checkout.status).toBe('PENDING')
    await moveClock(app, { advance: 'PT1H' }, merchant)
    expect((await payer.current()).json.checkout.status).toBe('COMPLETED')
  })

  it('a contract creates and collects a charge at each due time', async () => {
    const { merchant, till } = await newShop()
    const { contract } = await till.pay(undefined, {
      account: { crm_key: 'subscriber' },
      payment_method: { token: await cardToken(app, CARDS.approve), save: true },
      recurring: { frequency: 'MONTH', count: 4 },
    })
    const { now } = await moveClock(app, { advance: 'P3M2D' }, merchant)
    expect(now).toBe('2030-08-03T12:00:00.000Z')
    const { charges } = await read(merchant, `/charges?criteria=contract=${contract}&order=due`)
    const times = [1, 2, 3].map((n) => `2030-0${5 + n}-01T12:00:00.000Z`)
    expect(charges).toMatchObject([
      { created: REAL, status: 'PAID' },
      ...times.map((due) => ({ created: due, due, status: 'PAID' })),
    ])
    const { payments } = await read(merchant, '/payments?order=created')
    expect(payments.slice(1)).toMatchObject(
      times.map((created) => ({ created, processed: created, status: 'SUCCESS' })),
    )
    expect((await read(merchant, `/contracts/${contract}`)).contract).toMatchObject({
      status: 'ENDED',
      charges_total: 4,
      charges_paid: 4,
    })
  })

  it('a declined collection is retried on the following days within one move', async () => {
    const { merchant, till } = await newShop()
    const { account, method: payment_method } = await till.storeCard()
    const scheduled = await till.pay(undefined, { account, payment_method, due: inDays(2) })
    expect(scheduled.status).toBe('SCHEDULED')
    let calls = 0
    stubProcessor(app, (real) => ({
      pay: async (order) => {
        calls += 1
        return calls <= 2
          ? { status: 'DECLINED', reference: null, code: 'DECLINED', message: 'Not today' }
          : real.pay(order)
      },
    }))
    await moveClock(app, { advance: 'P10D' }, merchant)
    const { payments } = await read(
      merchant,
      `/payments?criteria=created>=${inDays(2)}&order=created`,
    )
    expect(await till.read(scheduled.id)).toMatchObject({ status: 'DECLINE', processed: inDays(2) })
    expect(payments).toMatchObject([
      { status: 'DECLINE', created: inDays(3) },
      { status: 'SUCCESS', created: inDays(6) },
    ])
  })

  it('all work of one due time runs at that time, in any amount', async () => {
    const { merchant, till } = await newShop()
    const { account, method: payment_method } = await till.storeCard()
    const scheduled = { amount: '1.00', currency: 'EUR', account, payment_method, due: inDays(1) }
    // More than one round of the job collects.
    const count = 410
    for (let n = 0; n < count; n += 1) await till.send(scheduled)
    await moveClock(app, { now: inDays(1) }, merchant)
    const taken = `status=SUCCESS,processed=${inDays(1)}`
    const { meta } = await read(merchant, `/payments?criteria=${taken}&limit=1`)
    expect(meta.total).toBe(count)
  }, 60_000)

  it('a pending payment settles; a payment whose payer never returned does not', async () => {
    const { merchant, till } = await newShop()
    const pending = await till.pay(CARDS.pendingSuccess)
    expect(pending.status).toBe('PENDING')
    await payNewLink({ ...app, merchant }, CARDS.challenge)
    await moveClock(app, { advance: 'P1D' }, merchant)
    expect((await till.read(pending.id)).status).toBe('SUCCESS')
    const { payments } = await read(merchant, '/payments?criteria=status=DECLINE')
    expect(payments).toHaveLength(1)
    expect(Date.parse(payments[0].processed) - app.now()).toBeLessThan(DAY_MS / 24)
  })

  it('a payment without an outcome does not stop the clock', async () => {
    const merchant = await app.newMerchant()
    const { id } = await openPaymentsClient(app, merchant).pay(CARDS.noAnswerTaken)
    let calls = 0
    stubProcessor(app, () => ({
      query: () => {
        calls += 1
        return Promise.reject(new Error('silence'))
      },
    }))
    await moveClock(app, { advance: 'P1Y' }, merchant)
    expect(calls).toBeGreaterThanOrEqual(5)
    expect(calls).toBeLessThan(10)
    expect((await openPaymentsClient(app, merchant).read(id)).status).toBe('UNRESOLVED')
  })

  it('an authorization expires', async () => {
    const { merchant, till } = await newShop()
    const { id } = await till.authorise()
    await moveClock(app, { advance: 'P8D' }, merchant)
    expect((await till.capture(id)).status).toBe(400)
  })

  it('a card expires by the test clock', async () => {
    const { merchant, till } = await newShop()
    await moveClock(app, { advance: 'P4Y11M' }, merchant)
    expect(await till.pay(CARDS.approve)).toMatchObject({ status: 'DECLINE' })
  })

  it('work continues between two moves as time passes', async () => {
    const { merchant, till } = await newShop()
    await moveClock(app, { advance: 'P1Y' }, merchant)
    const { id } = await till.pay(CARDS.pendingSuccess)
    app.pass(60_000)
    await runTestClocks(deps)
    expect((await till.read(id)).status).toBe('SUCCESS')
  })

  it('no other instance is affected', async () => {
    const merchant = await app.newMerchant()
    const other = await app.newMerchant()
    const { link, payer } = await openNewLink({ ...app, merchant: other }, undefined, {
      expires: inDays(1),
    })
    const till = openPaymentsClient(app, other)
    const { account, method: payment_method } = await till.storeCard()
    const scheduled = await till.pay(undefined, { account, payment_method, due: inDays(1) })
    const before = await typesOf(other)
    await moveClock(app, { advance: 'P1Y' }, merchant)
    await collectDue(deps)
    expect(await typesOf(other)).toEqual(before)
    expect((await till.read(scheduled.id)).status).toBe('SCHEDULED')
    expect((await readLink(other, link.id)).status).toBe('ACTIVE')
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    const { accounts } = await read(other, '/accounts')
    expect(accounts[0].created <= inDays(0)).toBe(true)
    expect((await read(other, '/sandbox/clock')).clock.offset_ms).toBe(0)
  })

  it('due work of the instance is found by its clock alone, in order', async () => {
    const merchant = await app.newMerchant()
    const { id } = merchant.instance
    await newLink(merchant, undefined, { expires: inDays(3) })
    await newLink(merchant, undefined, { expires: inDays(2) })
    const span = { after: inDays(0), until: inDays(3) }
    expect(await nextDue(deps.db, id, span)).toBe(inDays(2))
    expect(await nextDue(deps.db, id, { ...span, after: inDays(2) })).toBe(inDays(3))
    expect(await nextDue(deps.db, id, { ...span, after: inDays(3) })).toBeUndefined()
  })
})
