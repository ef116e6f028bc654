import type { EventRow } from '../db/tables/events.ts'
import { EVENT_ID } from '../../shared/rules/ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tx } from '../db/tables.ts'
import { lookup } from '../db/lookup.ts'
import { literal } from '../db/partial-index.ts'
import { withRowLock } from '../db/row-locks.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import type { ListTurn } from '../deps.ts'

/** Throws a 404 ApiError when the instance does not have the event. */
export const getEvent = lookup(
  'Event',
  EVENT_ID,
  (db, instanceId, id): Promise<EventRow | undefined> =>
    db
      .selectFrom('events')
      .selectAll()
      .where('id', '=', id)
      .where('instance_id', '=', instanceId)
      .executeTakeFirst(),
)

export function listEvents(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<EventRow>> {
  return readPage(turn, list, (db) =>
    db.selectFrom('events').selectAll().where('instance_id', '=', instanceId).where(list.where),
  )
}

/**
 * Deletes at most `limit` events of all instances that are older than `before`, with their
 * deliveries, and returns the number. Keeps events that are not fanned out yet, and events with a
 * waiting delivery that changed since `triedSince`: after a long downtime they are still unsent.
 * Times are epoch milliseconds.
 */
export async function deleteOldEvents(
  db: Db,
  { before, triedSince }: { before: number; triedSince: number },
  limit: number,
): Promise<number> {
  const result = await db
    .deleteFrom('events')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('events')
        .select('id')
        // An id begins with its time, and the primary key is the only index by time.
        .where('id', '<', `evt_${before}_`)
        .where('fan_out', '=', literal(0))
        .where((events) =>
          events.not(
            events.exists(
              events
                .selectFrom('deliveries')
                .select('deliveries.id')
                .whereRef('deliveries.event_id', '=', 'events.id')
                .where('deliveries.next_attempt', 'is not', null)
                .where('deliveries.updated', '>=', formatInstant(triedSince)),
            ),
          ),
        )
        .orderBy('id')
        .limit(limit)
        // Skips events that a concurrent replay has locked.
        .$call(withRowLock(db, 'update', { skipLocked: true })),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Locks those events that still exist until the transaction ends. Returns their ids, oldest first. */
export async function lockEvents(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const locked = await tx
    .selectFrom('events')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .$call(withRowLock(tx, 'key share'))
    .execute()
  return locked.map(({ id }) => id)
}

/** Returns the ids of instances with events that are not fanned out yet. */
export async function listInstancesToFanOut(db: Db): Promise<string[]> {
  const one = await db
    .selectFrom('events')
    .select('id')
    .where('fan_out', '=', literal(1))
    .limit(1)
    .executeTakeFirst()
  if (one === undefined) return []
  // One index probe per instance, independent of the number of events.
  const found = await db
    .selectFrom('instances')
    .select('instances.id')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('events')
          .select('events.id')
          .whereRef('events.instance_id', '=', 'instances.id')
          .where('events.fan_out', '=', literal(1)),
      ),
    )
    .execute()
  return found.map(({ id }) => id)
}

/**
 * Marks at most `limit` events of an instance as fanned out and returns them, oldest first. Skips
 * events that another process is taking.
 */
export async function takeEventsToFanOut(
  tx: Tx,
  instanceId: string,
  limit: number,
): Promise<Pick<EventRow, 'id' | 'type'>[]> {
  const taken = await tx
    .updateTable('events')
    .set({ fan_out: 0 })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('events')
        .select('id')
        .where('instance_id', '=', instanceId)
        .where('fan_out', '=', literal(1))
        .orderBy('id')
        .limit(limit)
        .$call(withRowLock(tx, 'no key update', { skipLocked: true })),
    )
    .returning(['id', 'type'])
    .execute()
  return taken.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Returns the ids of at most `limit` events of an instance that match, oldest first. */
export async function listEventIds(
  db: Db | Tx,
  instanceId: string,
  filter: {
    id: string | undefined
    types: readonly string[]
    /** Stored instants, both inclusive. */
    from: string | undefined
    to: string | undefined
  },
  limit: number,
): Promise<string[]> {
  if (filter.types.length === 0) return []
  let query = db
    .selectFrom('events')
    .select('id')
    .where('instance_id', '=', instanceId)
    .where('type', 'in', filter.types)
    .orderBy('created')
    .orderBy('id')
    .limit(limit)
  if (filter.id !== undefined) query = query.where('id', '=', filter.id)
  if (filter.from !== undefined) query = query.where('created', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('created', '<=', filter.to)
  return (await query.execute()).map(({ id }) => id)
}
