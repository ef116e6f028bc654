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
  await tx
    .insertInto('events')
    .values((eb) => ({
      id: newId('evt', now),
      instance_id: instanceId,
      type: event.type,
      data: JSON.stringify(event.data),
      // Where nobody listens there is nothing to hand out, and the event is only kept.
      fan_out: eb
        .case()
        .when(
          eb.exists(
            eb
              .selectFrom('webhook_endpoints')
              .select(sql.lit(1).as('one'))
              .where('instance_id', '=', instanceId)
              .where('enabled', '=', 1),
          ),
        )
        .then(sql.lit(1))
        .else(sql.lit(0))
        .end(),
      created: formatInstant(now),
    }))
    .execute()
}
