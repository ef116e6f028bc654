import type { CheckoutRecord } from '../../shared/schemas/checkout-record.ts'
import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { getCheckoutRecord } from './queries.ts'

type CheckoutEvent = Extract<EventType, `checkout.${string}`>

/** Whose session something happened to, and when. */
interface Happening {
  instanceId: string
  /** Epoch milliseconds. */
  now: number
}

/**
 * Records that something happened to a session, in the transaction that makes it happen (contract
 * sections 7.2 and 16). `record` is the session as its merchant reads it at this moment.
 */
export async function recordCheckoutEvent(
  tx: Tx,
  type: CheckoutEvent,
  record: CheckoutRecord,
  { instanceId, now }: Happening,
): Promise<void> {
  await recordEvent(tx, { instanceId, type, data: { checkout: record }, now })
}

/** The same for a session that has a history, which is read for it. */
export async function recordStoredCheckoutEvent(
  tx: Tx,
  type: CheckoutEvent,
  id: string,
  happening: Happening,
): Promise<void> {
  const record = await getCheckoutRecord(tx, happening.instanceId, id, happening.now)
  await recordCheckoutEvent(tx, type, record, happening)
}
