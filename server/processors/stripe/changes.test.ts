import { afterAll, describe, expect, it } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { testCharges } from '../../../test/charges.ts'
import { openPaymentsClient, type Json, recordedEvents } from '../../../test/payments-client.ts'
import { connectStripe } from '../../../test/stripe-fake/connect.ts'
import { stripeEnvironment } from '../../../test/stripe-fake/environment.ts'
import { deliver, noticeOf, WEBHOOK_SECRET } from '../../../test/stripe-fake/deliver.ts'
import type { Event } from '../../../test/stripe-fake/objects.ts'
import { startStripeFake } from '../../../test/stripe-fake/start.ts'
import { reconcileDue } from '../../payments/reconcile.ts'
import { syncReversals } from '../../payments/sync-reversals.ts'

const HOUR_MS = 3_600_000
let now = () => Date.now()
const fake = await startStripeFake({ now: () => now() })
const app = await startTestApp(stripeEnvironment(fake))
const { deps } = app.checkstand
now = app.now

const VISA = '4242424242424242'

/** A merchant whose only processor is the fake. */
async function openShop() {
  const merchant = await app.newMerchant()
  const settings = { methods: ['CARD', 'DIRECT_DEBIT'] }
  const { id } = await connectStripe(app, merchant, fake, settings, WEBHOOK_SECRET)
  const client = openPaymentsClient(app, merchant)
  const pay = (more: Record<string, unknown> = {}, number = VISA) =>
    client.pay(undefined, { payment_method: { token: fake.card(number) }, ...more })
  const list = async (): Promise<Json[]> => (await merchant.api('/reversals')).json.reversals
  const before = fake.account.events.length
  return {
    merchant,
    connection: id,
    client,
    pay,
    list,
    /** Events of the account since the shop was opened, oldest first. */
    events: () => fake.account.events.slice(0, fake.account.events.length - before).toReversed(),
    tell: (event: Event) => deliver(app, id, noticeOf(event, app.now())),
    readAfter: async (ms = 0) => {
      app.pass(ms)
      await syncReversals(deps)
      return list()
    },
    recorded: async () => (await recordedEvents(app, merchant)).map(({ type }) => type),
  }
}

afterAll(async () => {
  await fake.close()
  expect(fake.problems).toEqual([])
})

describe('a dispute at Stripe', () => {
  it('withdraws its amount until it is won, with the deadline while evidence is taken', async () => {
    const { pay, client, readAfter, list } = await openShop()
    const payment = await pay()
    const { id } = fake.afterwards.dispute(payment.gateway_reference, 400)
    expect(await readAfter(HOUR_MS)).toMatchObject([
      {
        payment: payment.id,
        type: 'DISPUTE',
        status: 'OPEN',
        amount: '4.00',
        gateway_reference: id,
        reason: 'fraudulent',
      },
    ])
    expect(Date.parse((await list())[0].due)).toBeGreaterThan(app.now())
    expect(await client.read(payment.id)).toMatchObject({
      disputed_amount: '4.00',
      refundable_amount: '6.00',
    })
    fake.afterwards.closeDispute(id, 'under_review')
    expect(await readAfter(HOUR_MS)).toMatchObject([{ status: 'OPEN', due: null }])
    fake.afterwards.closeDispute(id, 'won')
    expect(await readAfter(HOUR_MS)).toMatchObject([{ status: 'WON' }])
    expect(await client.read(payment.id)).toMatchObject({
      disputed_amount: '0.00',
      refundable_amount: '10.00',
    })
  })

  it('lets nothing of its amount be refunded, and Stripe is not asked', async () => {
    const { pay, client, readAfter } = await openShop()
    const payment = await pay()
    fake.afterwards.dispute(payment.gateway_reference)
    await readAfter(HOUR_MS)
    const asked = fake.requests.length
    const refused = await client.refund(payment.id, { amount: '1.00' })
    expect([refused.status, refused.json.error.type]).toEqual([400, 'INVALID_STATE'])
    expect(fake.requests).toHaveLength(asked)
  })

  it('of an authorization belongs to its capture', async () => {
    const { client, readAfter } = await openShop()
    const authorization = await client.authorise(undefined, {
      payment_method: { token: fake.card(VISA) },
    })
    const { json } = await client.capture(authorization.id, { amount: '60.00' })
    fake.afterwards.dispute(authorization.gateway_reference)
    const [reversal] = await readAfter(HOUR_MS)
    expect(reversal).toMatchObject({ payment: json.capture.id, amount: '60.00' })
  })

  it('is of no concern where the payment was not made here', async () => {
    const shop = await openShop()
    const other = await openShop()
    await other.pay()
    const foreign = await shop.pay()
    fake.afterwards.dispute(foreign.gateway_reference)
    expect(await other.readAfter(HOUR_MS)).toEqual([])
    expect(await shop.list()).toHaveLength(1)
  })
})

describe('an inquiry of the bank', () => {
  it('withdraws nothing, and the payment can be refunded', async () => {
    const { pay, client, readAfter } = await openShop()
    const payment = await pay()
    const { id } = fake.afterwards.inquire(payment.gateway_reference)
    expect(await readAfter(HOUR_MS)).toMatchObject([{ type: 'INQUIRY', status: 'OPEN' }])
    expect(await client.read(payment.id)).toMatchObject({
      disputed_amount: '0.00',
      refundable_amount: '10.00',
    })
    const { status, json } = await client.refund(payment.id)
    expect([status, json.refund.status]).toEqual([200, 'SUCCESS'])
    fake.afterwards.closeDispute(id, 'warning_closed')
    expect(await readAfter(HOUR_MS)).toMatchObject([{ type: 'INQUIRY', status: 'WON' }])
  })

  it('that becomes a dispute withdraws the amount, as the same reversal', async () => {
    const { pay, client, readAfter, recorded } = await openShop()
    const payment = await pay()
    const { id } = fake.afterwards.inquire(payment.gateway_reference)
    const [inquiry] = await readAfter(HOUR_MS)
    fake.afterwards.closeDispute(id, 'needs_response')
    expect(await readAfter(HOUR_MS)).toMatchObject([
      { id: inquiry?.id, type: 'DISPUTE', status: 'OPEN' },
    ])
    expect(await client.read(payment.id)).toMatchObject({
      disputed_amount: '10.00',
      refundable_amount: '0.00',
    })
    expect((await client.refund(payment.id)).status).toBe(400)
    expect((await recorded()).filter((type) => type.startsWith('reversal.'))).toEqual(
      expect.arrayContaining(['reversal.opened', 'reversal.updated']),
    )
  })
})

describe('a debit that the bank returns', () => {
  it('is a lost return, and its charge is owed again', async () => {
    const { merchant, client, readAfter } = await openShop()
    const charge = await testCharges(app, merchant).newCharge({ amount: 1000 })
    const payment = await client.pay(undefined, {
      payment_method: { token: fake.card(VISA) },
      parts: [{ charge: charge.id, amount: '10.00' }],
    })
    const intent = fake.account.intents.get(payment.gateway_reference)
    const method = fake.account.methods.get(intent?.payment_method ?? '')
    Object.assign(method ?? {}, { type: 'sepa_debit', number: 'DE89370400440532013000' })
    fake.afterwards.returnDebit(payment.gateway_reference)
    expect(await readAfter(HOUR_MS)).toMatchObject([
      { type: 'RETURN', status: 'LOST', amount: '10.00', reason: 'insufficient_funds' },
    ])
    const read = async () => (await merchant.api(`/charges/${charge.id}`)).json.charge
    const after = await read()
    expect(after).toMatchObject({
      status: 'ACTIVE',
      paid_amount: '0.00',
      outstanding_amount: '10.00',
    })
    expect(await client.read(payment.id)).toMatchObject({
      status: 'SUCCESS',
      refundable_amount: '0.00',
    })
    await readAfter(HOUR_MS)
    expect(await read()).toEqual(after)
  })
})

describe('a refund at Stripe', () => {
  it('that fails after it succeeded can be made again', async () => {
    const { pay, client, merchant, readAfter, recorded } = await openShop()
    const payment = await pay()
    const { refund } = (await client.refund(payment.id, { amount: '4.00' })).json
    const [made] = [...fake.account.refunds.values()].toReversed()
    fake.afterwards.failRefund(made?.id ?? '')
    expect(await readAfter(HOUR_MS)).toMatchObject([
      { type: 'REFUND_FAILED', status: 'WON', refund: refund.id, amount: '4.00' },
    ])
    expect((await merchant.api(`/refunds/${refund.id}`)).json.refund).toMatchObject({
      status: 'SUCCESS',
      failed_later: true,
    })
    expect(await client.read(payment.id)).toMatchObject({
      refunded_amount: '0.00',
      refundable_amount: '10.00',
    })
    await readAfter(HOUR_MS)
    expect((await recorded()).filter((type) => type === 'refund.failed')).toHaveLength(1)
    expect((await client.refund(payment.id)).json.refund).toMatchObject({ status: 'SUCCESS' })
  })

  it('from the dashboard counts as refunded', async () => {
    const { pay, client, readAfter } = await openShop()
    const payment = await pay()
    fake.afterwards.refundInDashboard(payment.gateway_reference, 300)
    expect(await readAfter(HOUR_MS)).toMatchObject([
      { type: 'EXTERNAL_REFUND', status: 'LOST', amount: '3.00', payment: payment.id },
    ])
    expect(await client.read(payment.id)).toMatchObject({
      refunded_amount: '3.00',
      disputed_amount: '0.00',
      refundable_amount: '7.00',
    })
  })

  it('of this server is no reversal', async () => {
    const { pay, client, readAfter } = await openShop()
    const payment = await pay()
    await client.refund(payment.id, { amount: '4.00' })
    expect(await readAfter(HOUR_MS)).toEqual([])
  })
})

describe('the fee of a payment', () => {
  it('is null until Stripe has booked it', async () => {
    const { pay, client, readAfter } = await openShop()
    const payment = await pay()
    expect(payment).toMatchObject({ fee_amount: null, net_amount: null, fee_currency: null })
    fake.afterwards.bookFees(payment.gateway_reference)
    await readAfter(HOUR_MS)
    const known = { fee_amount: '0.34', net_amount: '9.66', fee_currency: 'EUR' }
    const { v } = await client.read(payment.id)
    expect(await client.read(payment.id)).toMatchObject({ ...known, v: v })
    await readAfter(HOUR_MS)
    expect((await client.read(payment.id)).v).toBe(v)
  })

  it('stays unknown where the key may not read it, and disputes are told', async () => {
    const { pay, client, readAfter } = await openShop()
    const payment = await pay()
    fake.afterwards.bookFees(payment.gateway_reference)
    fake.afterwards.dispute(payment.gateway_reference)
    fake.fault('GET /v1/balance_transactions', 'FORBIDDEN', 100)
    expect(await readAfter(HOUR_MS)).toHaveLength(1)
    expect(await client.read(payment.id)).toMatchObject({ fee_amount: null })
    fake.clearFaults()
  })
})

describe('what a lost notice would have told', () => {
  it('is read within the hour', async () => {
    const { pay, readAfter } = await openShop()
    const payment = await pay()
    await readAfter()
    app.pass(1)
    fake.afterwards.dispute(payment.gateway_reference)
    expect(await readAfter(HOUR_MS - 2)).toEqual([])
    expect(await readAfter(1)).toMatchObject([{ status: 'OPEN' }])
  })

  it('is read by pages, each object once', async () => {
    const { pay, readAfter } = await openShop()
    const payment = await pay({ amount: '500.00' })
    const dispute = fake.afterwards.dispute(payment.gateway_reference, 100)
    for (let n = 0; n < 60; n += 1) fake.afterwards.closeDispute(dispute.id, 'under_review')
    for (let n = 0; n < 60; n += 1) fake.afterwards.closeDispute(dispute.id, 'won')
    const before = fake.requests.length
    expect(await readAfter(HOUR_MS)).toMatchObject([{ status: 'WON' }])
    const asked = fake.requests.slice(before).filter(({ url }) => url.includes(dispute.id))
    expect(asked).toHaveLength(1)
  })

  it('is read again where Stripe gives no answer', async () => {
    const { pay, readAfter } = await openShop()
    const payment = await pay()
    fake.afterwards.dispute(payment.gateway_reference)
    fake.fault('GET /v1/events', '500_BEFORE', 100)
    expect(await readAfter(HOUR_MS)).toEqual([])
    fake.clearFaults()
    expect(await readAfter(60_000)).toHaveLength(1)
  })
})

describe('notices', () => {
  it('bring the read forward, and their order and repeats never matter', async () => {
    const { pay, readAfter, tell, events, client, merchant } = await openShop()
    const payment = await pay({ amount: '20.00' })
    await readAfter()
    const before = events().length
    fake.afterwards.refundInDashboard(payment.gateway_reference, 300)
    const { id } = fake.afterwards.dispute(payment.gateway_reference, 500)
    fake.afterwards.closeDispute(id, 'lost')
    const told = events().slice(before)
    let end: unknown
    for (const order of [told, told.toReversed(), [...told, ...told]]) {
      for (const event of order) {
        app.pass(1)
        expect((await tell(event)).status).toBe(204)
        await readAfter()
      }
      const state = [await client.read(payment.id), (await merchant.api('/reversals')).text]
      end ??= state
      expect(state).toEqual(end)
    }
    expect(await client.read(payment.id)).toMatchObject({ refundable_amount: '12.00' })
  })

  it('settle a payment at once that waits', async () => {
    const { pay, events, tell, client } = await openShop()
    const payment = await pay({}, '4000000000000077')
    expect(payment.status).toBe('PENDING')
    fake.settle()
    const [told] = events().toReversed()
    expect((await tell(told as Event)).status).toBe(204)
    await reconcileDue(deps)
    expect(await client.read(payment.id)).toMatchObject({ status: 'SUCCESS' })
  })
})
