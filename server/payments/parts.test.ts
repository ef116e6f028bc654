import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { DOWN, refusal, startPaymentsApp } from '../../test/payments-app.ts'
import { type Json, chargedDuring, errorSummary } from '../../test/payments-client.ts'

/** For which charges a payment is, and from which a refund takes. */

const { app, client, later, bend, refunded } = await startPaymentsApp()
const { readCharge, putCharge } = testCharges(app)
const { account, method } = await client.storeCard()

/** A charge that falls due in ten years: made by announcing a payment for it. */
async function owe(amount: string): Promise<string> {
  const due = '2040-01-01T00:00:00Z'
  return (await client.pay(undefined, { amount, payment_method: method, due })).charge
}
const state = async (id: string) => {
  const { status, paid_amount, outstanding_amount, refunded_amount } = await readCharge(id)
  return [status, paid_amount, outstanding_amount, refunded_amount]
}
const pay = (amount: string, parts: unknown) =>
  client.pay(undefined, { amount, parts, payment_method: method })
const tenEuros = { amount: '10.00', currency: 'EUR', payment_method: method }
const part = (id: string, amount: string) => ({ charge: id, amount })
const refuse = async (payment: Record<string, unknown>) => {
  let summary: unknown[] = []
  const charged = await chargedDuring(app, async () => {
    summary = errorSummary(await client.send({ ...tenEuros, ...payment }))
  })
  expect(charged).toEqual([])
  return summary
}

describe('a payment for charges', () => {
  it('pays each charge its part, in the order of the request', async () => {
    const [one, two] = [await owe('10.00'), await owe('20.00')]
    const parts = [part(two, '5.00'), part(one, '10.00')]
    const payment = await pay('16.00', parts)
    expect(payment).toMatchObject({ status: 'SUCCESS', account, parts, charge: null })
    expect(await state(one)).toEqual(['PAID', '10.00', '0.00', '0.00'])
    expect(await state(two)).toEqual(['ACTIVE', '5.00', '15.00', '0.00'])
    expect((await readCharge(one)).last_payment).toBe(payment.id)
    const expanded = await client.read(payment.id, '?expand=parts')
    expect(expanded.parts).toEqual([
      { charge: await readCharge(two), amount: '5.00' },
      { charge: await readCharge(one), amount: '10.00' },
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
    expect(await refuse({ parts: [part(one, '4.01')] })).toEqual(
      refusal(
        'INVALID_STATE',
        'payment.parts.0.amount must be at most 4.00 EUR, because 6.00 EUR is being paid right now',
      ),
    )
    await pay('4.00', [part(one, '4.00')])
    await later(2_000)
    expect(await state(one)).toEqual(['PAID', '10.00', '0.00', '0.00'])
  })

  it('pays a charge once for twenty concurrent requests', async () => {
    const one = await owe('10.00')
    const parts = [part(one, '10.00')]
    const twenty = Array.from({ length: 20 }, () => ({ ...tenEuros, parts }))
    let responses: ApiResponse[] = []
    const charged = await chargedDuring(app, async () => {
      responses = await Promise.all(twenty.map((payment) => client.send(payment)))
    })
    expect(charged).toEqual([1_000])
    expect(await state(one)).toEqual(['PAID', '10.00', '0.00', '0.00'])
    const refused = responses.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(19)
    for (const response of refused) expect(errorSummary(response)[1]).toBe('INVALID_STATE')
  })

  it('is refused for a paid or written-off charge and reserves none of the others', async () => {
    const [open, paid, off] = [await owe('10.00'), await owe('10.00'), await owe('10.00')]
    await pay('10.00', [part(paid, '10.00')])
    await putCharge(off, { status: 'WRITTENOFF' })
    for (const [id, status] of [
      [paid, 'PAID'],
      [off, 'WRITTENOFF'],
    ] as const) {
      expect(await refuse({ parts: [part(open, '5.00'), part(id, '1.00')] })).toEqual(
        refusal('INVALID_STATE', `payment.parts.1.charge is ${status} and cannot be paid`),
      )
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
    expect(errorSummary(response)).toEqual(refusal('INVALID_REQUEST', message))
    expect((await client.read(payment.id)).refundable_amount).toBe('30.00')
  })

  it('that fails makes the parts refundable again and does not change the charges', async () => {
    const { payment, one, two } = await paid()
    const mend = bend('refund', DOWN)
    const versions = [(await readCharge(one)).v, (await readCharge(two)).v]
    await refunded(payment.id, { amount: '20.00' })
    expect([(await readCharge(one)).v, (await readCharge(two)).v]).toEqual(versions)
    mend()
    const parts = [part(one, '10.00'), part(two, '10.00')]
    expect((await refunded(payment.id, { amount: '20.00', parts })).status).toBe('SUCCESS')
  })

  it('counts on the charges only when it succeeds', async () => {
    const { payment, two } = await paid()
    bend('refund', 'ANSWER LOST')
    await refunded(payment.id, { amount: '5.00' })
    expect((await state(two))[3]).toBe('0.00')
    await later(5_000)
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
