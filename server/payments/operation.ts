import type { AttemptRow, PaymentRow, TransactionRow } from '../db/rows.ts'
import type { Tx } from '../db/tables.ts'
import { type Call, insertAttempt, newAttempt } from './attempts.ts'
import { newTransaction } from './new-rows.ts'
import { insertParts, insertPayment, insertTransaction } from './store.ts'

/** What is stored of a payment before its processor is asked (safety section 3.2, rule 1). */

/** What part of a payment is for which charge, in minor units. */
export interface Part {
  charge: string
  amount: number
}

/** The charges that parts are for. */
export function chargesOf(parts: readonly Part[]): string[] {
  return parts.map(({ charge }) => charge)
}

/** What is about to be asked of a processor. Times are epoch milliseconds. */
export type Operation = Pick<AttemptRow, 'kind' | 'processor'> & Partial<AttemptRow> & Call

/**
 * Stores a payment whose processor is about to be asked: payment, parts, transaction and attempt.
 * Answers the attempt, whose id is the key that the processor is asked with.
 */
export async function storeOperation(
  tx: Tx,
  payment: PaymentRow,
  parts: readonly Part[],
  as: Operation,
): Promise<AttemptRow> {
  const { transaction, attempt } = newOperation(payment, as)
  await insertPayment(tx, { ...payment, transaction_id: transaction.id })
  await insertParts(tx, partRows(payment, parts))
  await insertTransaction(tx, transaction)
  await insertAttempt(tx, attempt)
  return attempt
}

/** The rows of what is about to be asked for a payment. */
export function newOperation(
  payment: PaymentRow,
  as: Operation,
): { transaction: TransactionRow; attempt: AttemptRow } {
  const { now, callEnds, owner, ...columns } = as
  const { type, id: payment_id, instance_id, amount } = payment
  const { processor } = as
  const transaction = newTransaction({ type, payment_id, processor, amount }, payment, now)
  const attempt = newAttempt(
    { ...columns, instance_id, payment_id, transaction_id: transaction.id },
    { now, callEnds, owner },
  )
  return { transaction, attempt }
}

/** The rows of a payment's parts, in the order in which they are given. */
export function partRows(payment: PaymentRow, parts: readonly Part[]) {
  return parts.map((part, position) => ({
    payment_id: payment.id,
    charge_id: part.charge,
    position,
    amount: part.amount,
    refunded_amount: 0,
  }))
}
