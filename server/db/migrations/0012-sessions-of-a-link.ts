import { type Kysely, sql, SqliteAdapter } from 'kysely'

/**
 * When a link was first and last opened, found without reading its sessions, let alone all of the
 * instance, which is what SQLite does to find the first by an index that is in order of time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A row for every session that was ever opened takes longer than a statement may.
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    await sql`set local statement_timeout = 0`.execute(db)
  }
  await db.schema
    .createIndex('checkouts_of_link')
    .on('checkouts')
    .columns(['instance_id', 'payment_link_id', 'created'])
    .execute()
  await db.schema.dropIndex('checkouts_payment_link').execute()
}
