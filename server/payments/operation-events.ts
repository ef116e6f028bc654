import type { RefundRow, VoidRow } from '../db/rows.ts'
import type { EventType } from '../events/event-types.ts'
import type { Outcome } from './outcome.ts'

/** The event that each outcome of an operation records, and the status that it gives its record. */

type Status = Outcome['status']

export const PAYMENT_EVENTS: Record<Status, EventType> = {
  SUCCESS: 'payment.success',
  DECLINE: 'payment.decline',
  PENDING: 'payment.pending',
  UNRESOLVED: 'payment.unresolved',
}

export const CAPTURE_EVENTS: Record<Status, EventType> = {
  SUCCESS: 'capture.success',
  DECLINE: 'capture.decline',
  PENDING: 'capture.pending',
  UNRESOLVED: 'capture.unresolved',
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
