import { expressionBuilder, sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { Db, Tables, Tx } from '../db/tables.ts'
import type { EventRow } from '../db/tables/events.ts'
import { afterCommit } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import type { EventType } from './event-types.ts'
import { jobSignals } from './job-signals.ts'

/**
 * Inserts an event in the transaction of its change, so that both commit or neither does.
 *
 * `data` is the record under its singular name, as its GET returns it now, with ids unexpanded.
 * `now` is epoch milliseconds.
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

const emitEvent = () => void jobSignals.emit('event')

type NewEvent = Omit<EventRow, 'fan_out'>

const insert = compiledQuery((db: Db, event: NewEvent) => {
  const enabledWebhooks = expressionBuilder<Tables>()
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('instance_id', '=', event.instance_id)
    .where('enabled', '=', 1)
  return db.insertInto('events').values({
    ...event,
    // Without an enabled webhook there is nothing to fan out.
    fan_out: sql<number>`case when exists ${enabledWebhooks} then 1 else 0 end`,
  })
})
