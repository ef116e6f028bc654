import type { Kysely } from 'kysely'

/** The audit log. It names records by their ids alone, because it outlives them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'))
    .addColumn('instance_id', 'text', (c) => c.references('instances.id'))
    .addColumn('actor_type', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('actor_name', 'text')
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('about', 'text')
    .addColumn('ip', 'text')
    .addColumn('detail', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('audit_merchant')
    .on('audit')
    .columns(['merchant_id', 'created', 'id'])
    .execute()
  await db.schema.createIndex('audit_created').on('audit').column('created').execute()
}
