import type { EventRow } from '../db/rows.ts'
import { EVENT_ID } from '../../shared/rules/ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tx } from '../db/tables.ts'
import { literal } from '../db/partial-index.ts'
import { withRowLock } from '../db/row-locks.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'

/** An event of this instance; 404 otherwise. */
export async function getEvent(db: Db | Tx, instanceId: string, id: string): Promise<EventRow> {
  const row = EVENT_ID.test(id)
    ? await db
        .selectFrom('events')
        .selectAll()
        .where('id', '=', id)
        .where('instance_id', '=', instanceId)
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('Event')
  return row
}

/** One page of an instance's events, and how many match in all. */
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
 * Deletes at most `limit` events, of all instances, that are older than `before`, and their
 * deliveries with them, but none that still waits to be handed to webhooks, or that one of them has
 * been tried with since `triedSince` and will be again: after a long downtime nobody has heard of
 * them. Times are epoch milliseconds. Answers how many.
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
        // Ids begin with their time and are indexed by it, which `created` alone is not.
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
        // One that somebody asks for at this moment is not waited for, and stays.
        .$call(withRowLock(db, 'update', { skipLocked: true })),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * Those of the events that are still there, oldest first, which they then are until the transaction
 * ends.
 */
export async function lockEvents(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const held = await tx
    .selectFrom('events')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .$call(withRowLock(tx, 'key share'))
    .execute()
  return held.map(({ id }) => id)
}

/** Returns the ids of instances with events that no webhook was given yet. */
export async function listInstancesToFanOut(db: Db): Promise<string[]> {
  const one = await db
    .selectFrom('events')
    .select('id')
    .where('fan_out', '=', literal(1))
    .limit(1)
    .executeTakeFirst()
  if (one === undefined) return []
  // One probe of the index for each instance, however many events wait there.
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
 * Takes at most `limit` events of an instance to be given to webhooks in this transaction, without
 * waiting for those that another process is taking. The oldest are taken first, and returned first.
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

/** Ids of at most `limit` events of an instance that meet every condition given, oldest first. */
export async function listEventIds(
  db: Db | Tx,
  instanceId: string,
  wanted: {
    id: string | undefined
    types: readonly string[]
    /** Instants as they are stored; both are included. */
    from: string | undefined
    to: string | undefined
  },
  limit: number,
): Promise<string[]> {
  if (wanted.types.length === 0) return []
  let query = db
    .selectFrom('events')
    .select('id')
    .where('instance_id', '=', instanceId)
    .where('type', 'in', wanted.types)
    .orderBy('created')
    .orderBy('id')
    .limit(limit)
  if (wanted.id !== undefined) query = query.where('id', '=', wanted.id)
  if (wanted.from !== undefined) query = query.where('created', '>=', wanted.from)
  if (wanted.to !== undefined) query = query.where('created', '<=', wanted.to)
  return (await query.execute()).map(({ id }) => id)
}
