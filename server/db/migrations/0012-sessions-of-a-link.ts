import { type Kysely, sql, SqliteAdapter } from 'kysely'

/**
 * An index for the first and last session of a link. With the index by instance and time, SQLite
 * reads all sessions of the instance.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // With many sessions, this takes longer than the statement timeout.
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
