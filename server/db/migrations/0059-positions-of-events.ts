import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../dialect.ts'

/**
 * The transaction that inserted an event, by which PostgreSQL returns events in an order to which none is
 * added later (D280). SQLite has that order already, as its row id, and leaves the column empty.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('events').addColumn('position', 'bigint').execute()
  if (isSqlite(db)) return
  await sql`alter table events alter column position set default (pg_current_xact_id()::text::bigint)`.execute(
    db,
  )
  await sql`create index events_position on events (position, id)`.execute(db)
}
