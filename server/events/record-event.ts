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
  event: {
    instanceId: string
    type: EventType
    data: Record<string, unknown>
    now: number
    /** False for an event that the caller delivers. */
    fanOut?: boolean
    /** A new one by default. */
    id?: string
  },
): Promise<void> {
  const { instanceId, now, fanOut = true, id = newId('evt', now) } = event
  const data = JSON.stringify(event.data)
  const created = formatInstant(now)
  const about = recordId(event.data)
  const row = { id, instance_id: instanceId, type: event.type, data, about, created }
  if (fanOut) await insert(tx, row)
  else
    await tx
      .insertInto('events')
      .values({ ...row, fan_out: 0 })
      .execute()
  if (about !== null && isFiled(event.type)) {
    await file(tx, { id: newId('ic', now), record_id: about })
  }
  if (fanOut) afterCommit(tx, emitEvent)
}

/** Records that totals or searches are of. That a link is opened changes neither. */
const FILED =
  /^(?:account|capture|charge|contract|deep_link|payment|payment_link|refund|reversal)\./

function isFiled(type: EventType): boolean {
  return FILED.test(type) && type !== 'payment_link.opened' && type !== 'deep_link.used'
}

const file = compiledQuery((db: Db, change: { id: string; record_id: string }) =>
  db.insertInto('insight_changes').values(change),
)

/** Returns the id of the record in the data of an event; null if it has none, as wording has. */
function recordId(data: Record<string, unknown>): string | null {
  const [record] = Object.values(data) as ({ id?: unknown } | undefined)[]
  return typeof record?.id === 'string' ? record.id : null
}

const emitEvent = () => void jobSignals.emit('event')

type NewEvent = Omit<EventRow, 'fan_out' | 'position'>

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
