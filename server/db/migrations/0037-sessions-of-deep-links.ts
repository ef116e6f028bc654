import { type Kysely, sql, SqliteAdapter } from 'kysely'

/** Sessions that have no payment link before their first submit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The index is built over every session, which can exceed the statement timeout.
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    await sql`set local statement_timeout = 0`.execute(db)
  }
  await sql`alter table checkouts alter column payment_link_id drop not null`.execute(db)
  await db.schema
    .alterTable('checkouts')
    .addColumn('deep_link_id', 'text', (c) => c.references('deep_links.id'))
    .execute()
  await db.schema.alterTable('checkouts').addColumn('prefill', 'text').execute()
  await db.schema
    .createIndex('checkouts_of_deep_link')
    .on('checkouts')
    .columns(['deep_link_id', 'created'])
    .where(sql.ref('deep_link_id'), 'is not', null)
    .execute()
}
