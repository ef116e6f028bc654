import { sql } from 'kysely'
import { isSqlite } from '../db/dialect.ts'
import type { Db } from '../db/tables.ts'
import type { EventRow } from '../db/tables/events.ts'

/**
 * The place of an event in the order in which events are streamed: by the transaction that inserted it,
 * then by id (D280).
 */
export interface Place {
  /** The row id of SQLite, or the transaction id of PostgreSQL. */
  position: number
  id: string
}

/** Greater than every event id. */
const LAST_ID = '~'

const ROW_ID = sql<number>`events.rowid`
const POSITION = sql<number>`coalesce(events.position, 0)`
/** Transactions below it have ended, so no event can be added before it. */
const HORIZON = sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

/** No transaction has begun with it. */
const NEXT_POSITION = sql<number>`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`

/** Returns the place behind everything that is committed. */
export async function findEndOfEvents(db: Db): Promise<Place> {
  const query = isSqlite(db)
    ? sql<{ position: number | null }>`select max(rowid) as position from events`
    : sql<{ position: number | null }>`select ${HORIZON} - 1 as position`
  const { rows } = await query.execute(db)
  return { position: Number(rows[0]?.position ?? 0), id: LAST_ID }
}

/** Returns whether events of this database can have a position. */
export async function hasReached(db: Db, position: number): Promise<boolean> {
  if (isSqlite(db)) return position <= (await findEndOfEvents(db)).position
  const { rows } = await sql<{ next: number }>`select ${NEXT_POSITION} as next`.execute(db)
  return position < Number(rows[0]?.next)
}

/** Returns the place of an event; undefined when the instance does not have it. */
export async function findPlace(
  db: Db,
  instanceId: string,
  id: string,
): Promise<Place | undefined> {
  const found = await db
    .selectFrom('events')
    .select(['id', (isSqlite(db) ? ROW_ID : POSITION).as('position')])
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
  return found && { position: Number(found.position), id: found.id }
}

/**
 * Moves events of another cluster, from which a dump of PostgreSQL was restored, before all others. Their transaction
 * ids mean nothing here, and new events would be before them for as long as this cluster counts up to there.
 */
export async function resetForeignPositions(db: Db): Promise<void> {
  if (isSqlite(db)) return
  await db
    .updateTable('events')
    .set({ position: 0 })
    .where('position', '>=', NEXT_POSITION)
    .execute()
}

export type StreamedEvent = Pick<EventRow, 'id' | 'type' | 'created' | 'data'> & {
  position: number
}

/** Events of a stream, and the place from which it goes on. */
export interface StreamedEvents {
  events: StreamedEvent[]
  place: Place
}

/**
 * Returns at most `limit` events of an instance behind a place, in the order of the stream. An event is
 * returned once no other can still be added before it, so that none is missed. The next place is behind
 * the events of other instances too, so that none is read twice.
 */
export async function readEventsAfter(
  db: Db,
  instanceId: string,
  after: Place,
  limit: number,
): Promise<StreamedEvents> {
  const end = await findEndOfEvents(db)
  const events = await listEventsAfter(db, instanceId, after, limit)
  const last = events.at(-1)
  // Events that were committed since the end was read may be among them.
  const isLastBehind =
    last !== undefined && (events.length === limit || last.position > end.position)
  const read = isLastBehind ? last : end
  // A client may name an event that the stream still holds back.
  return { events, place: after.position > read.position ? after : read }
}

async function listEventsAfter(
  db: Db,
  instanceId: string,
  after: Place,
  limit: number,
): Promise<StreamedEvent[]> {
  const events = db
    .selectFrom('events')
    .select(['id', 'type', 'created', 'data'])
    // The plus keeps SQLite from reading all events of the instance by their index.
    .where(sql<boolean>`${isSqlite(db) ? sql`+` : sql``}events.instance_id = ${instanceId}`)
    .limit(limit)
  const rows = await (
    isSqlite(db)
      ? events.select(ROW_ID.as('position')).where(ROW_ID, '>', after.position).orderBy(ROW_ID)
      : events
          .select('position')
          .$narrowType<{ position: number }>()
          .where(sql<boolean>`(events.position, events.id) > (${after.position}, ${after.id})`)
          .where(sql<boolean>`events.position < ${HORIZON}`)
          .orderBy('position')
          .orderBy('id')
  ).execute()
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}
