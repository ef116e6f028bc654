import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { getCheckoutRecord } from './queries.ts'

/** Records an event with the session as it is stored now. `now` is in epoch milliseconds. */
export async function recordCheckoutEvent(
  tx: Tx,
  type: Extract<EventType, `checkout.${string}`>,
  id: string,
  { instanceId, now }: { instanceId: string; now: number },
): Promise<void> {
  const checkout = await getCheckoutRecord(tx, instanceId, id, now)
  await recordEvent(tx, { instanceId, type, data: { checkout }, now })
}
