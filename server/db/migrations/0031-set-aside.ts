import { type Kysely, sql, SqliteAdapter } from 'kysely'

/** Attempts that a payer left unfinished, and payments that a link did not need any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The index is built over every payment, which can exceed the statement timeout.
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    await sql`set local statement_timeout = 0`.execute(db)
  }
  await db.schema
    .alterTable('attempts')
    .addColumn('set_aside', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('attempts').addColumn('options_v', 'integer').execute()
  await db.schema.alterTable('attempts').addColumn('action_expires', 'text').execute()
  await db.schema
    .alterTable('payments')
    .addColumn('set_aside', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('payments')
    .addColumn('surplus', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  // At most one payment in progress or successful per link, besides those that were set aside.
  await db.schema.dropIndex('payments_one_per_link').execute()
  await db.schema
    .createIndex('payments_one_per_link')
    .unique()
    .on('payments')
    .column('payment_link_id')
    .where(sql<boolean>`status in ('PENDING', 'UNRESOLVED', 'SUCCESS') and set_aside = 0`)
    .execute()
}
