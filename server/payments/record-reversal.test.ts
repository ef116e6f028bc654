import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { testCharges } from '../../test/charges.ts'
import { repetitions } from '../../test/depth.ts'
import { newDispute, operationOf, refundOperation } from '../../test/dispute.ts'
import { readLedger } from '../../test/money-model/books.ts'
import { expectInvariants } from '../../test/money-model/invariants.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { inTransaction } from '../db/transaction.ts'
import type { OperationFees, ProcessorReversal } from '../processors/port.ts'
import { recordFees, recordReversal } from './record-reversal.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps

/** A payment of 10.00 EUR for two charges, and two refunds of 1.00 EUR of it. */
async function openDebts() {
  const merchant = await app.newMerchant()
  const client = openPaymentsClient(app, merchant)
  const { newCharge } = testCharges(app, merchant)
  const charges = [await newCharge({ amount: 600 }), await newCharge({ amount: 400 })]
  const parts = charges.map(({ id }, at) => ({ charge: id, amount: at === 0 ? '6.00' : '4.00' }))
  const payment = await client.pay(undefined, { parts })
  const refunds: string[] = []
  for (let n = 0; n < 2; n += 1) {
    refunds.push((await client.refund(payment.id, { amount: '1.00' })).json.refund.id)
  }
  const reported = { instanceId: merchant.instance.id, processor: 'sandbox', now: app.now() }
  const keys = {
    payment: await operationOf(app, payment.id),
    refunds: await Promise.all(refunds.map((id) => refundOperation(app, id))),
  }
  return {
    merchant,
    client,
    payment,
    refunds,
    keys,
    record: (reversal: ProcessorReversal) =>
      inTransaction(db, (tx) => recordReversal(tx, { ...reported, reversal })),
    recordFees: (fees: Omit<OperationFees, 'operation'>) =>
      inTransaction(db, (tx) =>
        recordFees(tx, { ...reported, fees: { ...fees, operation: keys.payment } }),
      ),
    ledger: () => readLedger({ app, merchant }),
  }
}

/** What a processor may report of each of five references, in any state. */
const reports = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constantFrom('DISPUTE' as const, 'EXTERNAL_REFUND' as const),
      status: fc.constantFrom('OPEN' as const, 'WON' as const, 'LOST' as const),
      reference: fc.constantFrom('a', 'b', 'c'),
      amount: fc.constantFrom(100, 250, 1000),
      refund: fc.constant(0),
    }),
    fc.record({
      type: fc.constant('RETURN' as const),
      status: fc.constant('LOST' as const),
      reference: fc.constantFrom('r', 's'),
      amount: fc.constantFrom(300, 500, 1000),
      refund: fc.constant(0),
    }),
    fc.record({
      type: fc.constant('REFUND_FAILED' as const),
      status: fc.constant('WON' as const),
      reference: fc.constant('f'),
      amount: fc.constant(100),
      refund: fc.constantFrom(0, 1),
    }),
  ),
  { minLength: 1, maxLength: 8 },
)

type Report = (typeof reports extends fc.Arbitrary<infer List extends unknown[]>
  ? List
  : never)[number]

function toReversal(
  { refund, reference, ...said }: Report,
  keys: Awaited<ReturnType<typeof openDebts>>['keys'],
): ProcessorReversal {
  const isRefund = said.type === 'REFUND_FAILED'
  const operation = isRefund ? (keys.refunds[refund] as string) : keys.payment
  const name = isRefund ? `f${refund}` : reference
  return { ...newDispute(app, { operation }), ...said, reference: name, due: null }
}

/** Independent of the product: what is left of 10.00 EUR. */
function expectedAmounts(list: readonly Report[]) {
  const last = new Map(
    list.filter(({ type }) => type !== 'REFUND_FAILED').map((report) => [report.reference, report]),
  )
  const sum = (...types: string[]) =>
    [...last.values()]
      .filter(({ type, status }) => types.includes(type) && status !== 'WON')
      .reduce((total, { amount }) => total + amount, 0)
  const failed = new Set(
    list.filter(({ type }) => type === 'REFUND_FAILED').map(({ refund }) => refund),
  ).size
  const refunded = Math.min(1000, 200 - failed * 100 + sum('EXTERNAL_REFUND'))
  const disputed = sum('DISPUTE', 'RETURN')
  const text = (minor: number) => (minor / 100).toFixed(2)
  return {
    refunded_amount: text(refunded),
    disputed_amount: text(disputed),
    refundable_amount: text(Math.max(0, 1000 - refunded - disputed)),
  }
}

describe('money that comes back', () => {
  it('keeps every sum right after each report, whatever comes in which order', async () => {
    await fc.assert(
      fc.asyncProperty(reports, async (list) => {
        const { record, keys, ledger, client, payment } = await openDebts()
        for (const [at, report] of list.entries()) {
          await record(toReversal(report, keys))
          expectInvariants(await ledger())
          const expected = expectedAmounts(list.slice(0, at + 1))
          expect(await client.read(payment.id)).toMatchObject(expected)
        }
        const before = await ledger()
        const repeated = await record(toReversal(list.at(-1) as Report, keys))
        expect(repeated).toBe('UNCHANGED')
        expect(await ledger()).toEqual(before)
      }),
      { numRuns: repetitions(8, 25) },
    )
  })

  it('of a debit is owed again from the last charge to the first, less what was refunded', async () => {
    const { record, keys, merchant, payment } = await openDebts()
    const returned = { type: 'RETURN', status: 'LOST', reference: 'r', refund: 0 } as const
    await record(toReversal({ ...returned, amount: 500 }, keys))
    const owed = async () => {
      const { json } = await merchant.api('/charges?order=created')
      return json.charges.map((each: { status: string; paid_amount: string }) => [
        each.status,
        each.paid_amount,
      ])
    }
    // The refunds of 2.00 were of the last charge.
    expect((await owed()).toSorted()).toEqual([
      ['ACTIVE', '2.00'],
      ['ACTIVE', '3.00'],
    ])
    await record(toReversal({ ...returned, amount: 1000 }, keys))
    expect((await owed()).toSorted()).toEqual([
      ['ACTIVE', '0.00'],
      ['ACTIVE', '2.00'],
    ])
    expect((await merchant.api(`/payments/${payment.id}`)).json.payment.status).toBe('SUCCESS')
  })

  it('of a refund whose outcome is open, of another amount, or unknown is not recorded', async () => {
    const { record, keys, refunds } = await openDebts()
    const failed = toReversal(
      { type: 'REFUND_FAILED', status: 'WON', reference: 'f', amount: 100, refund: 0 },
      keys,
    )
    expect(await record({ ...failed, amount: 99 })).toBe('UNKNOWN')
    expect(await record({ ...failed, operation: keys.payment })).toBe('UNKNOWN')
    const setStatus = (status: 'UNRESOLVED' | 'SUCCESS') =>
      db
        .updateTable('refunds')
        .set({ status })
        .where('id', '=', refunds[0] as string)
        .execute()
    await setStatus('UNRESOLVED')
    expect(await record(failed)).toBe('UNCHANGED')
    await setStatus('SUCCESS')
    expect(await record(failed)).toBe('RECORDED')
  })
})

describe('fees', () => {
  it('are recorded once, and a correction replaces them', async () => {
    const { recordFees: record, client, payment } = await openDebts()
    const fees = { fee: 34, net: 966, currency: 'EUR' }
    expect(await record(fees)).toBe('RECORDED')
    expect(await record(fees)).toBe('UNCHANGED')
    expect(await record({ fee: 50, net: 1100, currency: 'USD' })).toBe('RECORDED')
    expect(await client.read(payment.id)).toMatchObject({
      fee_amount: '0.50',
      net_amount: '11.00',
      fee_currency: 'USD',
    })
  })
})
