import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { countDeadlocks } from '../../test/deadlocks.ts'
import { repetitions } from '../../test/depth.ts'
import { DECLINED, startPaymentsApp } from '../../test/payments-app.ts'
import type { Json } from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'

/**
 * Requests at the same time for the same charges. PostgreSQL lets them wait for one another's rows,
 * and ends one of two that wait for each other: no operation here may be that one.
 */

const { app, deps, client, bend } = await startPaymentsApp()
const { readCharge, putCharge } = testCharges(app)
const { account, method } = await client.storeCard()
const stored = { account, payment_method: method }
const COUNT = repetitions(12, 24)
const atOnce = (act: (n: number) => Promise<ApiResponse>) =>
  Promise.all(Array.from({ length: COUNT }, (_, n) => act(n)))

const deadlocks = countDeadlocks(deps.db)

async function owe(amount: string, more: Record<string, unknown> = {}): Promise<string> {
  const due = '2040-01-01T00:00:00Z'
  return (await client.pay(undefined, { amount, due, ...stored, ...more })).charge
}

const partsOf = (charges: string[], amount: string) => charges.map((charge) => ({ charge, amount }))
/** Every second caller names the charges the other way round. */
const idOrKey = (charges: string[], n: number) => (n % 2 === 0 ? charges : charges.toReversed())

function expectAll(answers: ApiResponse[], name: string, status: string): Json[] {
  expect(deadlocks()).toBe(0)
  const records = answers.map(({ status: code, text, json }) => {
    expect(code, text).toBe(200)
    return json[name]
  })
  expect(new Set(records.map((record) => record.status))).toEqual(new Set([status]))
  return records
}

describe.each([
  ['charges', {}],
  ['charges of contracts', { recurring: { frequency: 'MONTH' } }],
])('payments and refunds of the same %s, named in either order', (_, more) => {
  it('never deadlock', async () => {
    const amounts = ['500.00', '500.00', '500.00']
    const charges = await Promise.all(amounts.map((amount) => owe(amount, more)))
    const send = (n: number) => ({
      amount: '30.00',
      currency: 'EUR',
      ...stored,
      parts: partsOf(idOrKey(charges, n), '10.00'),
    })
    const paid = expectAll(await atOnce((n) => client.send(send(n))), 'payment', 'SUCCESS')
    for (const [n, { parts }] of paid.entries()) expect(parts).toEqual(send(n).parts)
    const refund = (n: number) => ({ amount: '3.00', parts: partsOf(idOrKey(charges, n), '1.00') })
    expectAll(await atOnce((n) => client.refund(paid[n].id, refund(n))), 'refund', 'SUCCESS')
    const offline = await atOnce((n) =>
      client.refund(paid[n].id, { ...refund(n), offline: n % 2 === 0 }),
    )
    expectAll(offline, 'refund', 'SUCCESS')
    for (const charge of charges) {
      expect(await readCharge(charge)).toMatchObject({
        paid_amount: `${COUNT * 10}.00`,
        refunded_amount: `${COUNT * 2}.00`,
      })
    }
  })
})

it('declined refunds of one payment release while others reserve', async () => {
  const charges = [await owe('10.00'), await owe('10.00'), await owe('10.00')]
  const parts = partsOf(charges, '10.00')
  const paid = await client.pay(undefined, { ...stored, amount: '30.00', parts })
  bend('refund', DECLINED)
  for (let round = 0; round < 3; round += 1) {
    const refunds = await atOnce((n) =>
      client.refund(paid.id, {
        amount: '1.00',
        parts: partsOf([charges[n % 3] as string], '1.00'),
      }),
    )
    expectAll(refunds, 'refund', 'DECLINED')
  }
  expect(await client.read(paid.id)).toMatchObject({ refundable_amount: '30.00' })
})

it('an error of a part names its index in the request', async () => {
  const charges = [await owe('10.00'), await owe('20.00'), await owe('10.00')]
  for (const order of [charges, charges.toReversed()]) {
    const at = order.indexOf(charges[1] as string)
    const parts = order.map((charge, n) => ({ charge, amount: n === at ? '20.01' : '1.00' }))
    const { json } = await client.send({ ...stored, amount: '30.00', currency: 'EUR', parts })
    expect(json.error.message).toContain(`payment.parts.${at}.amount must be at most 20.00 EUR`)
  }
})

it('a card that is saved again while its charge changes is always locked after the charge', async () => {
  const charge = await owe('100.00')
  const tokens = await Promise.all(
    Array.from({ length: COUNT }, () => cardToken(app, CARDS.approve)),
  )
  const responses = await atOnce((n) =>
    n % 2 === 0
      ? client.send({
          amount: '1.00',
          currency: 'EUR',
          account,
          payment_method: { token: tokens[n], save: true },
          parts: partsOf([charge], '1.00'),
        })
      : putCharge(charge, { due: `20${40 + n}-01-01T00:00:00Z` }),
  )
  expect(deadlocks()).toBe(0)
  for (const { status, text } of responses) expect(status, text).toBe(200)
  const { json } = await app.merchant.api(`/payment_methods?criteria=account=${account}`)
  expect(json.payment_methods).toMatchObject([{ id: method, v: 1 + COUNT / 2 }])
})
