import { describe, expect, it } from 'vitest'
import { type ApiResponse, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { stubProcessor, type Json, openPaymentsClient } from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'

/**
 * Requests at the same time for the same charges. PostgreSQL lets them wait for one another's rows,
 * and ends one of two that wait for each other: nobody here may ever be that one.
 */

const app = await startTestApp()
const { deps } = app.checkstand
const till = openPaymentsClient(app)
const { account, method } = await till.storeCard()
const stored = { account, payment_method: method }
const COUNT = 24
const atOnce = (act: (n: number) => Promise<ApiResponse>) =>
  Promise.all(Array.from({ length: COUNT }, (_, n) => act(n)))

let deadlocks = 0
countDeadlocks()

/** Every transaction that was ended for the sake of another, also one that was run again. */
function countDeadlocks(): void {
  const begin = deps.db.transaction.bind(deps.db)
  deps.db.transaction = () => {
    const builder = begin()
    const execute = builder.execute.bind(builder)
    builder.execute = (work) =>
      execute(work).catch((error: unknown) => {
        deadlocks += Number((error as { code?: unknown }).code === '40P01')
        throw error
      })
    return builder
  }
}

async function owe(amount: string, more: Record<string, unknown> = {}): Promise<string> {
  const due = '2040-01-01T00:00:00Z'
  return (await till.pay(undefined, { amount, due, ...stored, ...more })).charge
}

const partsOf = (charges: string[], amount: string) => charges.map((charge) => ({ charge, amount }))
/** Every second caller names the charges the other way round. */
const named = (charges: string[], n: number) => (n % 2 === 0 ? charges : charges.toReversed())

function expectAll(answers: ApiResponse[], name: string, status: string): Json[] {
  expect(deadlocks).toBe(0)
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
  it('wait for each other and never in a circle', async () => {
    const charges = [
      await owe('500.00', more),
      await owe('500.00', more),
      await owe('500.00', more),
    ]
    const send = (n: number) => ({
      amount: '30.00',
      currency: 'EUR',
      ...stored,
      parts: partsOf(named(charges, n), '10.00'),
    })
    const paid = expectAll(await atOnce((n) => till.send(send(n))), 'payment', 'SUCCESS')
    for (const [n, { parts }] of paid.entries()) expect(parts).toEqual(send(n).parts)
    const refund = (n: number) => ({ amount: '3.00', parts: partsOf(named(charges, n), '1.00') })
    expectAll(await atOnce((n) => till.refund(paid[n].id, refund(n))), 'refund', 'SUCCESS')
    const offline = await atOnce((n) =>
      till.refund(paid[n].id, { ...refund(n), offline: n % 2 === 0 }),
    )
    expectAll(offline, 'refund', 'SUCCESS')
    for (const charge of charges) {
      const { json } = await app.merchant.api(`/charges/${charge}`)
      expect(json.charge).toMatchObject({ paid_amount: '240.00', refunded_amount: '48.00' })
    }
  })
})

it('refunds of one payment that are declined give back while others reserve', async () => {
  const charges = [await owe('10.00'), await owe('10.00'), await owe('10.00')]
  const parts = partsOf(charges, '10.00')
  const paid = await till.pay(undefined, { ...stored, amount: '30.00', parts })
  stubProcessor(app, () => ({
    refund: async () => ({ status: 'DECLINED', reference: null, code: 'DECLINED', message: 'No' }),
  }))
  for (let round = 0; round < 3; round += 1) {
    const refunds = await atOnce((n) =>
      till.refund(paid.id, { amount: '1.00', parts: partsOf([charges[n % 3] as string], '1.00') }),
    )
    expectAll(refunds, 'refund', 'DECLINED')
  }
  expect(await till.read(paid.id)).toMatchObject({ refundable_amount: '30.00' })
})

it('a part that cannot be paid is named by its place in the request', async () => {
  const charges = [await owe('10.00'), await owe('20.00'), await owe('10.00')]
  for (const order of [charges, charges.toReversed()]) {
    const at = order.indexOf(charges[1] as string)
    const parts = order.map((charge, n) => ({ charge, amount: n === at ? '20.01' : '1.00' }))
    const { json } = await till.send({ ...stored, amount: '30.00', currency: 'EUR', parts })
    expect(json.error.message).toContain(`payment.parts.${at}.amount must be at most 20.00 EUR`)
  }
})

it('a card that is saved again while its charge changes is locked after the charge by everybody', async () => {
  const charge = await owe('100.00')
  const tokens = await Promise.all(
    Array.from({ length: COUNT }, () => cardToken(app, CARDS.approve)),
  )
  const answers = await atOnce((n) =>
    n % 2 === 0
      ? till.send({
          amount: '1.00',
          currency: 'EUR',
          account,
          payment_method: { token: tokens[n], save: true },
          parts: partsOf([charge], '1.00'),
        })
      : app.merchant.api(`/charges/${charge}`, {
          method: 'PUT',
          body: { charge: { due: `20${40 + n}-01-01T00:00:00Z` } },
        }),
  )
  expect(deadlocks).toBe(0)
  for (const { status, text } of answers) expect(status, text).toBe(200)
  const { json } = await app.merchant.api(`/payment_methods?criteria=account=${account}`)
  expect(json.payment_methods).toMatchObject([{ id: method, v: 1 + COUNT / 2 }])
})
