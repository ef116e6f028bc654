import { describe, expect, it } from 'vitest'
import { CARDS, cardNumberFor } from '../cards.ts'
import { moveClock } from '../test-clock-driver.ts'
import { syncReversals } from '../../server/payments/sync-reversals.ts'
import {
  LOCAL_RECEIVERS,
  newWebhook,
  startReceiver,
  verified,
  deliverAll,
} from '../webhook-receiver.ts'
import { type Merchant, startTestApp } from '../app.ts'
import {
  sandboxRecord,
  DAY_MS,
  type Json,
  openPaymentsClient,
  errorSummary,
  recordedEvents,
} from '../payments-client.ts'
import { newLink, openPayerClient, readLink } from '../payer-client.ts'

const app = await startTestApp(LOCAL_RECEIVERS)
const { deps } = app.checkstand
const LOST = cardNumberFor('DISPUTE_LOST')
const WON = cardNumberFor('DISPUTE_WON')

const reversalsOf = async ({ api }: Merchant, payment: string): Promise<Json[]> =>
  (await api(`/reversals?criteria=payment=${payment}&order=created`)).json.reversals

/** The date-time that many days after a record was made. */
const daysAfter = ({ created }: Json, days: number) =>
  new Date(Date.parse(created) + days * DAY_MS).toISOString()

/** The type, time, status and version of every event about reversals. */
const toldOf = async (merchant: Merchant) =>
  (await recordedEvents(app, merchant))
    .filter(({ type }) => type.startsWith('reversal.'))
    .map(({ type, data: { reversal } }) => [type, reversal.updated, reversal.status, reversal.v])

async function open() {
  const merchant = await app.newMerchant()
  return { merchant, paymentsClient: openPaymentsClient(app, merchant) }
}

describe('a payment that is disputed by its test card', () => {
  it('is disputed a day later and lost seven days after that, each at its own time', async () => {
    const { merchant, paymentsClient } = await open()
    const payment = await paymentsClient.pay(LOST)
    const amounts = { refunded_amount: '0.00', status: 'SUCCESS' }
    const before = { ...amounts, disputed_amount: '0.00', refundable_amount: '10.00' }
    const withdrawn = { ...amounts, disputed_amount: '10.00', refundable_amount: '0.00' }
    expect(payment).toMatchObject(before)
    await moveClock(app, { advance: 'PT23H59M59S' }, merchant)
    expect(await reversalsOf(merchant, payment.id)).toEqual([])
    expect(await paymentsClient.read(payment.id)).toMatchObject(before)

    await moveClock(app, { advance: 'P2D' }, merchant)
    const [opened] = await reversalsOf(merchant, payment.id)
    expect(opened).toEqual({
      id: expect.stringMatching(/^rv_[0-9]+_[0-9a-z]{16}$/),
      payment: payment.id,
      refund: null,
      type: 'DISPUTE',
      status: 'OPEN',
      amount: '10.00',
      currency: 'EUR',
      reason: 'The cardholder did not authorize the payment.',
      due: daysAfter(payment, 8),
      gateway_reference: expect.stringMatching(/^sdispute_/),
      created: daysAfter(payment, 1),
      updated: daysAfter(payment, 1),
      v: 1,
    })
    expect(await paymentsClient.read(payment.id)).toMatchObject(withdrawn)
    expect(await sandboxRecord(app, payment.gateway_reference)).toMatchObject({ disputed: 1000 })

    await moveClock(app, { advance: 'P1M' }, merchant)
    const lost = { ...opened, status: 'LOST', due: null, updated: daysAfter(payment, 8), v: 2 }
    expect((await merchant.api(`/reversals/${opened?.id}`)).json).toEqual({ reversal: lost })
    expect(await paymentsClient.read(payment.id)).toMatchObject(withdrawn)
    expect(await toldOf(merchant)).toEqual([
      ['reversal.opened', daysAfter(payment, 1), 'OPEN', 1],
      ['reversal.closed', daysAfter(payment, 8), 'LOST', 2],
    ])
  })

  it('is given more time and won, and its money can be refunded again', async () => {
    const { merchant, paymentsClient } = await open()
    const payment = await paymentsClient.pay(WON)
    await moveClock(app, { advance: 'P30D' }, merchant)
    expect(await toldOf(merchant)).toEqual([
      ['reversal.opened', daysAfter(payment, 1), 'OPEN', 1],
      ['reversal.updated', daysAfter(payment, 4), 'OPEN', 2],
      ['reversal.closed', daysAfter(payment, 8), 'WON', 3],
    ])
    expect(await paymentsClient.read(payment.id)).toMatchObject({
      disputed_amount: '0.00',
      refundable_amount: '10.00',
    })
    expect((await paymentsClient.refund(payment.id)).json.refund.status).toBe('SUCCESS')
    expect(await sandboxRecord(app, payment.gateway_reference)).toMatchObject({
      disputed: 0,
      refunds: 1000,
    })
  })

  it('is found without a test clock too, at the time of the dispute', async () => {
    const { merchant, paymentsClient } = await open()
    await syncReversals(deps)
    const payment = await paymentsClient.pay(LOST)
    for (const [ms, statuses] of [
      // The server queries once an hour, and so reads the dispute before it opens.
      [3_600_000, []],
      [DAY_MS - 3_600_000 - 1, []],
      [1, ['OPEN']],
      [7 * DAY_MS - 1, ['OPEN']],
      [1, ['LOST']],
    ] as const) {
      app.pass(ms)
      await syncReversals(deps)
      const found = await reversalsOf(merchant, payment.id)
      expect(found.map(({ status }) => status)).toEqual(statuses)
    }
  })

  it('is disputed by capture, and its authorization has no disputed amount', async () => {
    const { merchant, paymentsClient } = await open()
    const auth = await paymentsClient.authorise(LOST)
    const { capture } = (await paymentsClient.capture(auth.id, { amount: '4.00' })).json
    await moveClock(app, { advance: 'P2D' }, merchant)
    const [reversal] = await reversalsOf(merchant, capture.id)
    expect(reversal).toMatchObject({ payment: capture.id, amount: '4.00', status: 'OPEN' })
    expect(await paymentsClient.read(capture.id)).toMatchObject({ disputed_amount: '4.00' })
    expect(await paymentsClient.read(auth.id)).toMatchObject({
      disputed_amount: null,
      status: 'SUCCESS',
    })
  })

  it('leaves its link paid, for the money was received', async () => {
    const { merchant } = await open()
    const link = await newLink(merchant)
    await (await openPayerClient(app, link.id)).payByCard(LOST)
    await moveClock(app, { advance: 'P30D' }, merchant)
    const paid = await readLink(merchant, link.id)
    expect(paid.status).toBe('PAYMENT_SUCCESS')
    expect(await reversalsOf(merchant, paid.payment)).toMatchObject([{ status: 'LOST' }])
  })

  it('is another merchant’s business alone, whose clock may be another', async () => {
    const [early, late] = [await open(), await open()]
    const payments = [await early.paymentsClient.pay(LOST), await late.paymentsClient.pay(LOST)]
    await moveClock(app, { advance: 'P9D' }, late.merchant)
    expect(await reversalsOf(early.merchant, payments[0]?.id)).toEqual([])
    expect(await reversalsOf(late.merchant, payments[1]?.id)).toMatchObject([{ status: 'LOST' }])
  })
})

describe('a refund', () => {
  it('of what is disputed is refused before the processor is asked, also an offline one', async () => {
    const { merchant, paymentsClient } = await open()
    const payment = await paymentsClient.pay(LOST)
    await moveClock(app, { advance: 'P2D' }, merchant)
    const sentence = 'Payment has nothing left to refund: 10.00 EUR is disputed'
    for (const refund of [{}, { amount: '1.00' }, { amount: '1.00', offline: true }]) {
      const response = await paymentsClient.refund(payment.id, refund)
      expect(errorSummary(response)).toEqual([400, 'INVALID_STATE', sentence])
    }
    expect((await merchant.api('/refunds')).json.refunds).toEqual([])
    await moveClock(app, { advance: 'P30D' }, merchant)
    expect(errorSummary(await paymentsClient.refund(payment.id))).toEqual([
      400,
      'INVALID_STATE',
      sentence,
    ])
  })

  it('before the dispute leaves the rest to be disputed', async () => {
    const { merchant, paymentsClient } = await open()
    const payment = await paymentsClient.pay(WON)
    expect((await paymentsClient.refund(payment.id, { amount: '4.00' })).status).toBe(200)
    await moveClock(app, { advance: 'P2D' }, merchant)
    expect(await reversalsOf(merchant, payment.id)).toMatchObject([{ amount: '6.00' }])
    expect(await paymentsClient.read(payment.id)).toMatchObject({
      refunded_amount: '4.00',
      disputed_amount: '6.00',
      refundable_amount: '0.00',
    })
    await moveClock(app, { advance: 'P30D' }, merchant)
    expect(await paymentsClient.read(payment.id)).toMatchObject({ refundable_amount: '6.00' })
    expect((await paymentsClient.refund(payment.id)).json.refund.amount).toBe('6.00')
  })

  it('of the whole amount leaves nothing to be disputed', async () => {
    const { merchant, paymentsClient } = await open()
    const payment = await paymentsClient.pay(LOST)
    expect((await paymentsClient.refund(payment.id)).json.refund.status).toBe('SUCCESS')
    await moveClock(app, { advance: 'P30D' }, merchant)
    expect(await reversalsOf(merchant, payment.id)).toEqual([])
    expect(await paymentsClient.read(payment.id)).toMatchObject({ disputed_amount: '0.00' })
  })

  it('is declined when the sandbox has a dispute that the server has not read', async () => {
    const { paymentsClient } = await open()
    await syncReversals(deps)
    const payment = await paymentsClient.pay(LOST)
    app.pass(DAY_MS)
    expect((await paymentsClient.refund(payment.id)).json.refund).toMatchObject({
      status: 'DECLINED',
    })
    await syncReversals(deps)
    expect(await paymentsClient.read(payment.id)).toMatchObject({
      refunded_amount: '0.00',
      disputed_amount: '10.00',
    })
  })
})

it('a webhook receives a dispute, each change, and its end', async () => {
  const { merchant, paymentsClient } = await open()
  const receiver = await startReceiver()
  const { secret } = await newWebhook(merchant, receiver.url, { events: ['reversal.*'] })
  const payment = await paymentsClient.pay(WON)
  await paymentsClient.pay(CARDS.approve)
  await moveClock(app, { advance: 'P9D' }, merchant)
  await deliverAll(app)
  const heard = receiver.received.map((request) => (verified(app, secret, request) as Json).event)
  expect(heard.map(({ type }: Json) => String(type)).toSorted()).toEqual([
    'reversal.closed',
    'reversal.opened',
    'reversal.updated',
  ])
  const [reversal] = await reversalsOf(merchant, payment.id)
  const closed = heard.find(({ type }: Json) => type === 'reversal.closed')
  expect(closed.data).toEqual({ reversal })
})

it('a reversal is read with its payment in place, and lists by what it is', async () => {
  const { merchant, paymentsClient } = await open()
  const payment = await paymentsClient.pay(LOST)
  await moveClock(app, { advance: 'P2D' }, merchant)
  const [{ id } = { id: '' }] = await reversalsOf(merchant, payment.id)
  const read = await merchant.api(`/reversals/${id}?expand=payment`)
  expect(read.json.reversal.payment).toEqual(await paymentsClient.read(payment.id))
  const count = async (criteria: string) =>
    (await merchant.api(`/reversals?criteria=${criteria}`)).json.meta.total
  expect(await count('status=OPEN,type=DISPUTE')).toBe(1)
  expect(await count('status=LOST')).toBe(0)
  expect(errorSummary(await merchant.api(`/reversals/${id.slice(0, -1)}_`))).toEqual([
    404,
    'NOT_FOUND',
    'Reversal not found',
  ])
})
