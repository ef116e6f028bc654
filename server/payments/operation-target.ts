import type { Deps } from '../deps.ts'
import { invalidState } from '../errors.ts'
import type { Processor } from '../processors/port.ts'
import { findTransaction, type PaymentRow } from './store.ts'

/** What an operation needs that follows an earlier one. */

/** The processor that took or reserved the money; INVALID_STATE when it is no longer there. */
export async function requireProcessor(deps: Deps, payment: PaymentRow): Promise<Processor> {
  const transaction =
    payment.transaction_id === null
      ? undefined
      : await findTransaction(deps.db, payment.instance_id, payment.transaction_id)
  const processor = transaction && deps.processors.get(transaction.processor)
  if (!processor) throw invalidState('Payment has no processor that could be asked')
  return processor
}

/** The processor's own reference of a payment that it approved. */
export function requireGatewayReference(payment: PaymentRow): string {
  if (payment.gateway_reference === null) {
    throw invalidState('Payment is not yet known to the processor')
  }
  return payment.gateway_reference
}
