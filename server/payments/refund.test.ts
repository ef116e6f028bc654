import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { DOWN, PAYMENT_NOT_FOUND, refusal, startPaymentsApp } from '../../test/payments-app.ts'
import {
  stubCapabilities,
  sandboxRecord,
  openPaymentsClient,
  errorSummary,
} from '../../test/payments-client.ts'
import { newLink, openPayerClient, readLink } from '../../test/payer-client.ts'

/** Giving money back: how much, of what, and what is refused. */

const { app, client, bend, removeProcessor, captured, refunded } = await startPaymentsApp()

const amounts = async (id: string) => {
  const { refunded_amount, refundable_amount } = await client.read(id)
  return [refunded_amount, refundable_amount]
}

describe('a refund', () => {
  it('refunds the paid amount once, as a record of its own', async () => {
    const { account, method } = await client.storeCard()
    const payment = await client.pay(undefined, { payment_method: method })
    const refund = await refunded(payment.id, { reason: 'Broken leg', reference: 'R-1' })
    expect(refund).toEqual({
      id: refund.id,
      payment: payment.id,
      amount: '10.00',
      currency: 'EUR',
      reason: 'Broken leg',
      reference: 'R-1',
      source_transaction: payment.transaction,
      status: 'SUCCESS',
      gateway_status: 'APPROVED',
      gateway_message: null,
      manual: false,
      offline: false,
      failed_later: false,
      account,
      legal_entity: null,
      parts: [],
      created: refund.created,
      processed: refund.created,
      updated: refund.created,
      v: 2,
    })
    expect(refund.id).toMatch(/^ref_[0-9]+_[0-9a-z]+$/)
    expect(await sandboxRecord(app, payment.gateway_reference)).toMatchObject({
      amount: 1_000,
      refunded: 1_000,
      refunds: 1_000,
    })
    expect(await client.read(payment.id)).toMatchObject({
      status: 'SUCCESS',
      refunded_amount: '10.00',
      refundable_amount: '0.00',
      v: payment.v + 1,
    })
    expect(errorSummary(await client.refund(payment.id))).toEqual(
      refusal('INVALID_STATE', 'Payment has nothing left to refund'),
    )
  })

  it('can be one of several, down to the last minor unit', async () => {
    const payment = await client.pay()
    const first = await refunded(payment.id, { amount: '4.99' })
    expect(first.reference).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/)
    expect(await amounts(payment.id)).toEqual(['4.99', '5.01'])
    expect(errorSummary(await client.refund(payment.id, { amount: '5.02' }))).toEqual(
      refusal('INVALID_STATE', 'refund.amount must be at most the refundable amount (5.01 EUR)'),
    )
    await refunded(payment.id, { amount: '5' })
    await refunded(payment.id, { amount: '0.01' })
    expect(await amounts(payment.id)).toEqual(['10.00', '0.00'])
    expect(await sandboxRecord(app, payment.gateway_reference)).toMatchObject({ refunded: 1_000 })
  })

  it('in a currency with three decimals can be a thousandth', async () => {
    const payment = await client.pay(CARDS.approve, { currency: 'KWD', amount: '1.234' })
    expect(await refunded(payment.id, { amount: '0.001' })).toMatchObject({
      amount: '0.001',
      currency: 'KWD',
    })
    expect(await amounts(payment.id)).toEqual(['0.001', '1.233'])
  })

  it('of a capture has the authorization and the transaction of the capture', async () => {
    const auth = await client.authorise()
    const capture = await captured(auth.id, { amount: '60.00' })
    const refund = await refunded(capture.id, { amount: '10.00', currency: 'EUR' })
    expect(refund).toMatchObject({ payment: auth.id, source_transaction: capture.transaction })
    expect(await amounts(capture.id)).toEqual(['10.00', '50.00'])
    expect(await sandboxRecord(app, capture.gateway_reference)).toMatchObject({ refunded: 1_000 })
    // What was given back is not open again.
    expect((await client.read(auth.id)).open_amount).toBe('40.00')
    expect((await refunded(capture.transaction)).amount).toBe('50.00')
  })

  it('works for a payment of a checkout', async () => {
    const link = await newLink(app.merchant, { amount: '12.50', alt_key: 'on a page' })
    await (await openPayerClient(app, link.id)).payByCard(CARDS.approve)
    const paid = (await readLink(app.merchant, link.id)).payment
    expect((await refunded('On A Page', { amount: '2.50' })).payment).toBe(paid)
    expect(await amounts(paid)).toEqual(['2.50', '10.00'])
  })

  it('is possible long after the payment', async () => {
    const payment = await client.pay()
    app.pass(400 * 86_400_000)
    expect((await refunded(payment.id)).status).toBe('SUCCESS')
  })
})

describe('a refund that is refused', () => {
  it.each([
    [{ amount: '0.00' }, 'refund.amount must be more than zero'],
    [{ amount: `1.${'0'.repeat(31)}` }, 'refund.amount must be at most 32 characters'],
    [{ amount: '-1' }, 'refund.amount must be a decimal amount such as "10.50", with a dot and no'],
    [{ amount: 5 }, 'refund.amount must be a string'],
    [{ amount: '1.005' }, 'refund.amount has too many decimal places for EUR'],
    [{ currency: 'GBP' }, 'refund.currency must be EUR, as paid'],
    [{ reason: 'x'.repeat(256) }, 'refund.reason must be at most 255 characters'],
    [{ reason: 'a\0b' }, 'refund.reason must not contain the NUL character'],
    [{ reference: '' }, 'refund.reference must not be empty'],
    [{ reference: ' a' }, 'refund.reference must not begin or end with a space or contain control'],
    [{ reference: 'ref_1_a' }, 'refund.reference must not have the form of an id'],
    [{ offline: 'yes' }, 'refund.offline must be true or false'],
    [{ manual: true }, 'Unknown field refund.manual'],
    [{ parts: [] }, 'refund.parts must have at least 1 member'],
    [
      { parts: [{ charge: 'cg_1_a', amount: '10.00' }] },
      'refund.parts.0.charge is not a charge of the payment',
    ],
    ['all', 'refund must be an object'],
  ])('%j', async (refund, message) => {
    const payment = await client.pay()
    const [status, type, text] = errorSummary(await client.refund(payment.id, refund))
    expect([status, type]).toEqual([400, 'INVALID_REQUEST'])
    expect(text).toContain(message)
    expect(await client.read(payment.id)).toEqual(payment)
  })

  it('for an authorization, which is voided instead, and for other records', async () => {
    const auth = await client.authorise()
    for (const idOrKey of [auth.id, auth.transaction, 'pay_1_a', 'tr_1_a', 'nobody']) {
      expect(errorSummary(await client.refund(idOrKey))).toEqual(PAYMENT_NOT_FOUND)
      expect(errorSummary(await client.refund(idOrKey, { offline: true }))).toEqual(
        PAYMENT_NOT_FOUND,
      )
    }
  })

  it('for a payment that charged nothing', async () => {
    const declined = await client.pay(CARDS.decline)
    for (const refund of [{}, { offline: true }]) {
      expect(errorSummary(await client.refund(declined.id, refund))).toEqual(
        refusal('INVALID_STATE', 'Payment is DECLINE; only a successful payment can be refunded'),
      )
    }
  })

  it('for a reference of another refund of the instance', async () => {
    const [one, two] = [await client.pay(), await client.pay()]
    await refunded(one.id, { amount: '1.00', reference: 'same' })
    for (const offline of [true, false]) {
      expect(errorSummary(await client.refund(two.id, { reference: 'same', offline }))).toEqual(
        refusal('INVALID_REQUEST', 'refund.reference is taken by another refund'),
      )
    }
    expect(await client.read(two.id)).toEqual(two)
    const other = openPaymentsClient(app, await app.newMerchant())
    const foreign = await other.pay()
    expect((await other.refund(foreign.id, { reference: 'same' })).status).toBe(200)
  })

  it('for all but one of twenty concurrent requests with one reference', async () => {
    const payments = await Promise.all(Array.from({ length: 20 }, () => client.pay()))
    const responses = await Promise.all(
      payments.map(({ id }) => client.refund(id, { reference: 'raced' })),
    )
    const taken = refusal('INVALID_REQUEST', 'refund.reference is taken by another refund')
    const lost = responses.filter(({ status }) => status !== 200)
    expect(lost).toHaveLength(19)
    for (const response of lost) expect(errorSummary(response)).toEqual(taken)
    const left = await Promise.all(payments.map(async ({ id }) => (await amounts(id))[1]))
    expect(left.filter((amount) => amount === '10.00')).toHaveLength(19)
  })
})

describe('a processor with limited capabilities', () => {
  it('that refunds once refuses a second refund, and not one after a declined one', async () => {
    stubCapabilities(app, { multiple_refunds: false })
    const mend = bend('refund', DOWN)
    const payment = await client.pay()
    await refunded(payment.id, { amount: '1.00' })
    mend()
    await refunded(payment.id, { amount: '1.00' })
    expect(errorSummary(await client.refund(payment.id, { amount: '1.00' }))).toEqual(
      refusal('NOT_SUPPORTED', 'sandbox refunds a payment once'),
    )
    // By hand it can be given back all the same.
    expect((await refunded(payment.id, { offline: true })).amount).toBe('9.00')
  })

  it('that refunds only the whole amount refuses a part', async () => {
    stubCapabilities(app, { partial_refund: false })
    const payment = await client.pay()
    expect(errorSummary(await client.refund(payment.id, { amount: '9.99' }))).toEqual(
      refusal('NOT_SUPPORTED', 'sandbox refunds the whole amount only'),
    )
    expect((await refunded(payment.id, { amount: '10.00' })).status).toBe('SUCCESS')
  })

  it('that is not configured leaves the refund to an operator', async () => {
    const payment = await client.pay()
    removeProcessor()
    expect((await refunded(payment.id, { offline: true })).status).toBe('SUCCESS')
  })
})
