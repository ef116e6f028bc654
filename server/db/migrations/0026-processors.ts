import { type Kysely, sql } from 'kysely'

/** Connections to processors, and what their adapters note about operations and notifications. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('processor_connections')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('publishable_key', 'text', (c) => c.notNull())
    .addColumn('secret_key', 'text', (c) => c.notNull())
    .addColumn('key_hint', 'text', (c) => c.notNull())
    .addColumn('account', 'text')
    .addColumn('webhook_endpoint', 'text')
    .addColumn('webhook_secret', 'text')
    .addColumn('previous_webhook_secret', 'text')
    .addColumn('previous_until', 'text')
    .addColumn('last_heard', 'text')
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_session', 'text')
    .addColumn('updated_session', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .addCheckConstraint(
      'processor_connections_status',
      sql`status in ('ACTIVE', 'BROKEN', 'DISABLED')`,
    )
    .execute()
  await db.schema
    .createIndex('processor_connections_created')
    .on('processor_connections')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  await db.schema
    .createTable('processor_operations')
    .addColumn('connection_id', 'text', (c) => c.notNull().references('processor_connections.id'))
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('reference', 'text')
    .addColumn('content_hash', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('processor_operations_pkey', ['connection_id', 'operation'])
    .execute()
  // Captures and voids share the reference of their authorization.
  await db.schema
    .createIndex('processor_operations_reference')
    .on('processor_operations')
    .columns(['connection_id', 'reference'])
    .where(sql.ref('reference'), 'is not', null)
    .execute()
  await db.schema
    .createTable('processor_notices')
    .addColumn('connection_id', 'text', (c) => c.notNull().references('processor_connections.id'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('received', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('processor_notices_pkey', ['connection_id', 'id'])
    .execute()
  await db.schema
    .createIndex('processor_notices_received')
    .on('processor_notices')
    .column('received')
    .execute()
}
