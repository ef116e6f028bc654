import type { CheckoutRecord } from '../../shared/schemas/checkout-record.ts'
import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { getCheckoutRecord } from './queries.ts'

type CheckoutEvent = Extract<EventType, `checkout.${string}`>

interface CheckoutEventContext {
  instanceId: string
  /** Epoch milliseconds. */
  now: number
}

/** Records an event with a session as `record`. */
export async function recordCheckoutEvent(
  tx: Tx,
  type: CheckoutEvent,
  record: CheckoutRecord,
  { instanceId, now }: CheckoutEventContext,
): Promise<void> {
  await recordEvent(tx, { instanceId, type, data: { checkout: record }, now })
}

/** Records an event with the session as it is stored now. */
export async function recordStoredCheckoutEvent(
  tx: Tx,
  type: CheckoutEvent,
  id: string,
  context: CheckoutEventContext,
): Promise<void> {
  const record = await getCheckoutRecord(tx, context.instanceId, id, context.now)
  await recordCheckoutEvent(tx, type, record, context)
}
