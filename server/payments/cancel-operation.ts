import type { AttemptRow } from '../db/tables/payments.ts'
import type { Deps } from '../deps.ts'
import type { LostOperation, Processor, ProcessorResponse } from '../processors/port.ts'
import { callProcessor, queryProcessor } from './call-processor.ts'
import { findTransaction, getPaymentRow } from './store.ts'

/**
 * Cancels an operation at its processor, so that it cannot move money later. In a database that was
 * restored it is queried first: without what the adapter noted, it would seem never to have begun.
 */
export async function cancelOperation(
  deps: Deps,
  processor: Processor,
  attempt: AttemptRow,
): Promise<ProcessorResponse> {
  const { id, restored } = attempt
  if (restored === 1) {
    const lost = await lostOperation(deps, attempt)
    const response = await queryProcessor(deps, id, () => processor.query(id, lost))
    const isOpen = response.status === 'ACTION' || response.status === 'PENDING'
    if (response.status !== 'NOT_FOUND' && !isOpen) return response
  }
  return callProcessor(deps, id, () => processor.cancel(id))
}

/** Returns what an adapter needs to find an operation again; undefined unless it may be missing there. */
export async function lostOperation(
  { db }: Pick<Deps, 'db'>,
  attempt: AttemptRow,
): Promise<LostOperation | undefined> {
  if (attempt.restored === 0) return undefined
  const { instance_id, kind, created } = attempt
  const transaction = await findTransaction(db, instance_id, attempt.transaction_id)
  if (!transaction) throw new Error(`${attempt.id} has no transaction`)
  const { amount, currency } = transaction
  const base = { kind, created, amount, currency, follows: null }
  if (kind === 'PAY' || kind === 'AUTHORISE') return base
  const payment = await getPaymentRow(db, instance_id, attempt.payment_id)
  const followed =
    kind === 'CAPTURE'
      ? await getPaymentRow(db, instance_id, payment.authorisation_id as string)
      : payment
  return { ...base, follows: followed.gateway_reference }
}
