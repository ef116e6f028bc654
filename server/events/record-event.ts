import { expressionBuilder, type Selectable, sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { Db, EventsTable, Tables, Tx } from '../db/tables.ts'
import { afterCommit } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import type { EventType } from './event-types.ts'
import { outbox } from './outbox.ts'

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
  const created = formatInstant(now)
  await insert(tx, {
    id: newId('evt', now),
    instance_id: instanceId,
    type: event.type,
    data,
    created,
  })
  afterCommit(tx, emitEvent)
}

const emitEvent = () => void outbox.emit('event')

type NewEvent = Omit<Selectable<EventsTable>, 'fan_out'>

const insert = compiledQuery((db: Db, event: NewEvent) => {
  const listening = expressionBuilder<Tables>()
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('instance_id', '=', event.instance_id)
    .where('enabled', '=', 1)
  return db.insertInto('events').values({
    ...event,
    // Where nobody listens there is nothing to hand out, and the event is only kept.
    fan_out: sql<number>`case when exists ${listening} then 1 else 0 end`,
  })
})
