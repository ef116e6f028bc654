import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import type { EventType } from './kinds.ts'

/**
 * Records that something happened, in the transaction that makes it happen: either both are
 * durable or neither is, so no merchant hears of a change that was undone, and none is forgotten
 * (contract section 16, safety section 3.2 rule 5).
 *
 * `data` is the record under its singular name, as its own GET would answer it now, with ids
 * unexpanded. `now` is epoch milliseconds.
 */
export async function recordEvent(
  tx: Tx,
  event: { instanceId: string; type: EventType; data: Record<string, unknown>; now: number },
): Promise<void> {
  const { instanceId, now } = event
  const data = JSON.stringify(event.data)
  // Where nobody listens there is nothing to hand out, and the event is only kept. Written as SQL,
  // since building this statement anew for every write cost more than running it.
  await sql`
    insert into events (id, instance_id, type, data, fan_out, created)
    values (
      ${newId('evt', now)}, ${instanceId}, ${event.type}, ${data},
      case when exists (
        select 1 from webhook_endpoints where instance_id = ${instanceId} and enabled = 1
      ) then 1 else 0 end,
      ${formatInstant(now)}
    )`.execute(tx)
}
