import { type Kysely, sql } from 'kysely'

/**
 * Sums of money by quarters of an hour. Records from before are added by a job, so that the server starts
 * at once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('insight_changes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('record_id', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('insight_backfills')
    .addColumn('source', 'text', (c) => c.primaryKey())
    .addColumn('before_id', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('totals')
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('slot', 'integer', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('n', 'bigint', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('totals_pkey', ['instance_id', 'slot', 'currency', 'kind'])
    .execute()
  await db.schema
    .createTable('filed_totals')
    .addColumn('record_id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull())
    .addColumn('slot', 'integer', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .execute()
  await sql`insert into insight_backfills (source, before_id)
    values ('payments', '~'), ('refunds', '~'), ('reversals', '~')`.execute(db)
}
