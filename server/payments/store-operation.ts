import type { AttemptRow, PaymentRow, TransactionRow } from '../db/tables/payments.ts'
import type { Tx } from '../db/tables.ts'
import { insertAttempt, newAttempt, type ProcessorCall } from './attempts.ts'
import { newTransaction } from './new-rows.ts'
import { newPartRows, type Part } from './parts.ts'
import { insertParts, insertPayment, insertTransaction } from './store.ts'

/** What is particular about an attempt, and the call that follows it. */
export type AttemptInput = Pick<AttemptRow, 'kind' | 'processor'> &
  Partial<AttemptRow> &
  ProcessorCall

/**
 * Stores a payment before its processor is called: payment, parts, transaction and attempt. Returns
 * the attempt, whose id is the idempotency key at the processor.
 */
export async function storeOperation(
  tx: Tx,
  payment: PaymentRow,
  parts: readonly Part[],
  input: AttemptInput,
): Promise<AttemptRow> {
  const { transaction, attempt } = newOperation(payment, input)
  await insertPayment(tx, { ...payment, transaction_id: transaction.id })
  await insertParts(tx, newPartRows(payment, parts))
  await insertTransaction(tx, transaction)
  await insertAttempt(tx, attempt)
  return attempt
}

/**
 * Returns the rows of a call to a processor. `made` is the record that the operation makes, with its
 * own id and amount; the attempt is on that record unless `input` names another payment.
 */
export function newOperation(
  made: Omit<PaymentRow, 'type'> & Pick<TransactionRow, 'type'>,
  input: AttemptInput,
): { transaction: TransactionRow; attempt: AttemptRow } {
  const { now, callEnds, owner, ...columns } = input
  const { type, id: payment_id, instance_id, amount } = made
  const { processor } = input
  const transaction = newTransaction({ type, payment_id, processor, amount }, made, now)
  const attempt = newAttempt(
    { instance_id, payment_id, ...columns, transaction_id: transaction.id },
    { now, callEnds, owner },
  )
  return { transaction, attempt }
}
