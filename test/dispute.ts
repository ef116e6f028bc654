import { expect } from 'vitest'
import { inTransaction } from '../server/db/transaction.ts'
import { recordReversal } from '../server/payments/record-reversal.ts'
import type { ProcessorReversal } from '../server/processors/port.ts'
import type { Merchant, TestApp } from './app.ts'

/** The variable members of a processor's dispute. */
export type DisputeReport = Pick<ProcessorReversal, 'operation'> & Partial<ProcessorReversal>

/** Returns an open dispute over 1.00 EUR as a processor reports it. */
export function newDispute(app: TestApp, said: DisputeReport): ProcessorReversal {
  return {
    reference: `dispute of ${said.operation}`,
    type: 'DISPUTE',
    status: 'OPEN',
    amount: 100,
    currency: 'EUR',
    reason: null,
    due: new Date(app.now() + 7 * 86_400_000).toISOString(),
    changed: new Date(app.now()).toISOString(),
    ...said,
  }
}

/** Returns the key of the operation that took a payment. */
export async function operationOf(app: TestApp, paymentId: string): Promise<string> {
  const { id } = await app.checkstand.deps.db
    .selectFrom('attempts')
    .select('id')
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'PAY')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the key of the operation of a refund. */
export async function refundOperation(app: TestApp, refundId: string): Promise<string> {
  const { id } = await app.checkstand.deps.db
    .selectFrom('attempts')
    .select('id')
    .where('refund_id', '=', refundId)
    .executeTakeFirstOrThrow()
  return id
}

/** Disputes a payment at once, for tests in which no day may pass. */
export async function disputePayment(
  app: TestApp,
  merchant: Merchant,
  paymentId: string,
): Promise<string> {
  const reversal = newDispute(app, { operation: await operationOf(app, paymentId) })
  const input = { instanceId: merchant.instance.id, processor: 'sandbox', reversal, now: app.now() }
  const recorded = await inTransaction(app.checkstand.deps.db, (tx) => recordReversal(tx, input))
  expect(recorded).toBe('RECORDED')
  const { json } = await merchant.api(`/reversals?criteria=payment=${paymentId}`)
  return json.reversals[0].id
}
