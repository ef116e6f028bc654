import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import {
  stubProcessor,
  type Json,
  openPaymentsClient,
  errorSummary,
} from '../../test/payments-client.ts'
import { CARDS, sandboxCharges } from '../../test/payer-client.ts'
import { reconcileDue } from './reconcile.ts'

/** For which charges a payment is, and from which a refund takes. */

const app = await startTestApp()
const { deps } = app.checkstand
const client = openPaymentsClient(app)
const { api } = app.merchant
const { account, method } = await client.storeCard()

/** A charge that falls due in ten years: made by announcing a payment for it. */
async function owe(amount: string, more: Record<string, unknown> = {}): Promise<string> {
  const announced = await client.pay(undefined, {
    amount,
    payment_method: method,
    due: '2040-01-01T00:00:00Z',
    ...more,
  })
  return announced.charge
}
const charge = async (id: string): Promise<Json> => (await api(`/charges/${id}`)).json.charge
const state = async (id: string) => {
  const { status, paid_amount, outstanding_amount, refunded_amount } = await charge(id)
  return [status, paid_amount, outstanding_amount, refunded_amount]
}
const pay = (amount: string, parts: unknown, more: Record<string, unknown> = {}) =>
  client.pay(undefined, { amount, parts, payment_method: method, ...more })
const part = (id: string, amount: string) => ({ charge: id, amount })
const refuse = async (payment: Record<string, unknown>) => {
  const charged = (await sandboxCharges(app)).length
  const response = await client.send({
    amount: '10.00',
    currency: 'EUR',
    payment_method: method,
    ...payment,
  })
  expect(await sandboxCharges(app)).toHaveLength(charged)
  return errorSummary(response)
}

describe('a payment for charges', () => {
  it('pays each charge its part, in the order of the request', async () => {
    const [one, two] = [await owe('10.00'), await owe('20.00')]
    const parts = [part(two, '5.00'), part(one, '10.00')]
    const payment = await pay('16.00', parts)
    expect(payment).toMatchObject({ status: 'SUCCESS', account, parts, charge: null })
    expect(await state(one)).toEqual(['PAID', '10.00', '0.00', '0.00'])
    expect(await state(two)).toEqual(['ACTIVE', '5.00', '15.00', '0.00'])
    expect((await charge(one)).last_payment).toBe(payment.id)
    const expanded = await client.read(payment.id, '?expand=parts')
    expect(expanded.parts).toEqual([
      { charge: await charge(two), amount: '5.00' },
      { charge: await charge(one), amount: '10.00' },
    ])
  })

  it('that is declined pays nothing and releases the charges', async () => {
    const one = await owe('10.00')
    const payment = await client.pay(CARDS.decline, { parts: [part(one, '10.00')], account })
    expect(payment).toMatchObject({ status: 'DECLINE', parts: [part(one, '10.00')] })
    expect(await state(one)).toEqual(['ACTIVE', '0.00', '10.00', '0.00'])
    expect((await pay('10.00', [part(one, '10.00')])).status).toBe('SUCCESS')
  })

  it('without an outcome prevents other payments of the same charges', async () => {
    const one = await owe('10.00')
    const open = await client.pay(CARDS.pendingSuccess, { parts: [part(one, '6.00')], account })
    expect(open.status).toBe('PENDING')
    expect(await refuse({ parts: [part(one, '4.01')] })).toEqual([
      400,
      'INVALID_STATE',
      'payment.parts.0.amount must be at most 4.00 EUR, because 6.00 EUR is being paid right now',
    ])
    await pay('4.00', [part(one, '4.00')])
    app.pass(2_000)
    await reconcileDue(deps)
    expect(await state(one)).toEqual(['PAID', '10.00', '0.00', '0.00'])
  })

  it('pays a charge once for twenty concurrent requests', async () => {
    const one = await owe('10.00')
    const before = (await sandboxCharges(app)).length
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        client.send({
          amount: '10.00',
          currency: 'EUR',
          payment_method: method,
          parts: [part(one, '10.00')],
        }),
      ),
    )
    const paid = responses.filter(({ status }) => status === 200)
    expect(paid).toHaveLength(1)
    expect((await sandboxCharges(app)).slice(before)).toEqual([1_000])
    expect(await state(one)).toEqual(['PAID', '10.00', '0.00', '0.00'])
    for (const response of responses) {
      if (response.status !== 200) expect(errorSummary(response)[1]).toBe('INVALID_STATE')
    }
  })

  it('is refused for a charge of another account, currency or instance', async () => {
    const one = await owe('10.00')
    const parts = [part(one, '1.00')]
    const member = 'payment.parts.0.charge'
    expect((await refuse({ parts, currency: 'GBP' }))[2]).toBe(`${member} is in EUR, not in GBP`)
    const stranger = await client.storeCard()
    expect((await refuse({ parts, payment_method: stranger.method }))[2]).toBe(
      `${member} belongs to another account`,
    )
    const others = openPaymentsClient(app, await app.newMerchant())
    const other = await others.storeCard()
    const foreign = await others.pay(undefined, {
      payment_method: other.method,
      due: '2040-01-01T00:00:00Z',
    })
    expect((await refuse({ parts: [part(foreign.charge, '1.00')] }))[2]).toBe(
      `${member} does not exist`,
    )
  })

  it('is refused for a paid or written-off charge and reserves none of the others', async () => {
    const [open, paid, off] = [await owe('10.00'), await owe('10.00'), await owe('10.00')]
    await pay('10.00', [part(paid, '10.00')])
    await api(`/charges/${off}`, { method: 'PUT', body: { charge: { status: 'WRITTENOFF' } } })
    for (const [id, status] of [
      [paid, 'PAID'],
      [off, 'WRITTENOFF'],
    ] as const) {
      expect(await refuse({ parts: [part(open, '5.00'), part(id, '1.00')] })).toEqual([
        400,
        'INVALID_STATE',
        `payment.parts.1.charge is ${status} and cannot be paid`,
      ])
    }
    await pay('10.00', [part(open, '10.00')])
  })
})

describe('a refund of a payment for charges', () => {
  /** Paid 30.00 for two charges of 10.00 each, so that 10.00 is for none. */
  async function paid(): Promise<{ payment: Json; one: string; two: string }> {
    const [one, two] = [await owe('10.00'), await owe('10.00')]
    const payment = await pay('30.00', [part(one, '10.00'), part(two, '10.00')])
    return { payment, one, two }
  }
  const refunded = async (id: string, refund: unknown): Promise<Json> =>
    (await client.refund(id, refund)).json.refund

  it('is taken from the last part first', async () => {
    const { payment, one, two } = await paid()
    expect((await refunded(payment.id, { amount: '4.00' })).parts).toEqual([part(two, '4.00')])
    expect((await refunded(payment.id, { amount: '8.00' })).parts).toEqual([
      part(two, '6.00'),
      part(one, '2.00'),
    ])
    expect((await refunded(payment.id, {})).parts).toEqual([part(one, '8.00')])
    // A refunded amount is not outstanding again and is not collected.
    for (const id of [one, two]) {
      expect(await state(id)).toEqual(['PAID', '10.00', '0.00', '10.00'])
    }
  })

  it('is taken from the named parts', async () => {
    const { payment, one, two } = await paid()
    const parts = [part(one, '3.00'), part(two, '1.00')]
    expect((await refunded(payment.id, { amount: '4.00', parts })).parts).toEqual(parts)
    expect((await state(one))[3]).toBe('3.00')
    expect((await state(two))[3]).toBe('1.00')
  })

  it.each([
    [['3.00', '1.01'], 'refund.parts must add up to the amount'],
    [['3.00', '0.99'], 'refund.parts must add up to the amount'],
    [['10.01', '1.00'], 'refund.parts.0.amount exceeds the refundable amount of this part'],
  ])('is refused for parts of %j', async ([a, b], message) => {
    const { payment, one, two } = await paid()
    const parts = [part(one, a as string), part(two, b as string)]
    const response = await client.refund(payment.id, { amount: '4.00', parts })
    expect(errorSummary(response)).toEqual([400, 'INVALID_REQUEST', message])
    expect((await client.read(payment.id)).refundable_amount).toBe('30.00')
  })

  it('that fails makes the parts refundable again and does not change the charges', async () => {
    const { payment, one, two } = await paid()
    let isDown = true
    stubProcessor(app, (real) => ({
      refund: async (order) => (isDown ? { status: 'ERROR', message: 'Down' } : real.refund(order)),
    }))
    const versions = [(await charge(one)).v, (await charge(two)).v]
    await refunded(payment.id, { amount: '20.00' })
    expect([(await charge(one)).v, (await charge(two)).v]).toEqual(versions)
    isDown = false
    const parts = [part(one, '10.00'), part(two, '10.00')]
    expect((await refunded(payment.id, { amount: '20.00', parts })).status).toBe('SUCCESS')
  })

  it('counts on the charges only when it succeeds', async () => {
    const { payment, two } = await paid()
    stubProcessor(app, (real) => ({
      refund: async (order) => {
        await real.refund(order)
        throw new Error('connection reset')
      },
    }))
    await refunded(payment.id, { amount: '5.00' })
    expect((await state(two))[3]).toBe('0.00')
    app.pass(5_000)
    await reconcileDue(deps)
    expect((await state(two))[3]).toBe('5.00')
  })

  it('counts on the charges at once when it is offline', async () => {
    const { payment, two } = await paid()
    await refunded(payment.id, { amount: '5.00', offline: true })
    expect((await state(two))[3]).toBe('5.00')
  })

  it('never exceeds the paid parts for twenty concurrent requests', async () => {
    const { payment, one, two } = await paid()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.refund(payment.id, { amount: '3.00' })),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10)
    for (const id of [one, two]) expect((await state(id))[3]).toBe('10.00')
  })
})
