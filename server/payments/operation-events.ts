import type { PaymentRow } from '../db/tables/payments.ts'
import type { RefundRow } from '../db/tables/refunds.ts'
import type { VoidRow } from '../db/tables/voids.ts'
import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import type { Outcome } from './outcome.ts'
import { serializePayments } from './store.ts'

/** The event that each outcome of an operation records, and the status that it gives its record. */

type Status = Outcome['status']

/** Of a payment, an authorization or a capture. */
export function outcomeEvent(
  { type }: Pick<PaymentRow, 'type'>,
  status: Status,
): `${'payment' | 'capture'}.${Lowercase<Status>}` {
  const outcome = status.toLowerCase() as Lowercase<Status>
  return `${type === 'CAPTURE' ? 'capture' : 'payment'}.${outcome}`
}

export const REFUND_EVENTS: Record<RefundRow['status'], EventType> = {
  SUCCESS: 'refund.success',
  PENDING: 'refund.pending',
  UNRESOLVED: 'refund.unresolved',
  DECLINED: 'refund.declined',
  INVALID_PAYMENT_METHOD: 'refund.declined',
  UNATTRIBUTED: 'refund.success',
}

/** A successful void records `payment.voided` with its authorization instead. */
export const VOID_EVENTS: Record<VoidRow['status'], EventType | undefined> = {
  SUCCESS: undefined,
  DECLINED: 'void.declined',
  PENDING: 'void.pending',
  UNRESOLVED: 'void.unresolved',
}

/** Refunds and voids are DECLINED where payments and transactions are DECLINE. */
export const REFUND_OR_VOID_STATUS = {
  SUCCESS: 'SUCCESS',
  DECLINE: 'DECLINED',
  PENDING: 'PENDING',
  UNRESOLVED: 'UNRESOLVED',
} as const satisfies Record<Status, VoidRow['status']>

/** Records an event with a payment, authorization or capture as it is now. `now` is epoch milliseconds. */
export async function recordPaymentEvent(
  tx: Tx,
  type: EventType,
  row: PaymentRow,
  now: number,
): Promise<void> {
  const [record] = await serializePayments(tx, [row], now)
  const data = { [row.type === 'CAPTURE' ? 'capture' : 'payment']: record }
  await recordEvent(tx, { instanceId: row.instance_id, type, data, now })
}
