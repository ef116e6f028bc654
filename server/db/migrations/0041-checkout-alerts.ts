import { type Kysely, sql } from 'kysely'

/** Alerts about checkout sessions, one row for each instance that has written some. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('checkout_alerts')
    .addColumn('instance_id', 'text', (c) => c.primaryKey().references('instances.id'))
    .addColumn('alerts', 'text', (c) => c.notNull())
    .addColumn('next_check', 'text')
    .addColumn('created_session', 'text')
    .addColumn('updated_session', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('checkout_alerts_due')
    .on('checkout_alerts')
    .column('next_check')
    .where(sql.ref('next_check'), 'is not', null)
    .execute()
}
