import { type Kysely, sql } from 'kysely'

/** Actor sessions, events, webhooks and idempotency keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('actor_sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('fingerprint', 'text', (c) => c.notNull().unique())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text')
    .addColumn('client_id', 'text')
    .addColumn('checkout_id', 'text')
    .addColumn('ip', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('events', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_until', 'text')
    .addColumn('failing_since', 'text')
    .addColumn('created_session', 'text')
    .addColumn('updated_session', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('webhook_endpoints_instance')
    .on('webhook_endpoints')
    .columns(['instance_id', 'created', 'id'])
    .execute()

  await db.schema
    .createTable('events')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('data', 'text', (c) => c.notNull())
    .addColumn('fan_out', 'integer', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('events_created')
    .on('events')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  // Only events that are not fanned out yet.
  await db.schema
    .createIndex('events_fan_out')
    .on('events')
    .column('id')
    .where(sql.ref('fan_out'), '=', sql.lit(1))
    .execute()

  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('endpoint_id', 'text', (c) =>
      c.notNull().references('webhook_endpoints.id').onDelete('cascade'),
    )
    .addColumn('event_id', 'text', (c) => c.notNull().references('events.id').onDelete('cascade'))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('next_attempt', 'text')
    .addColumn('leased_until', 'text')
    .addColumn('last_attempt', 'text')
    .addColumn('response_status', 'integer')
    .addColumn('error', 'text')
    .addColumn('delivered', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('deliveries_endpoint')
    .on('deliveries')
    .columns(['endpoint_id', 'created', 'id'])
    .execute()
  // Two processes that fan out the same event create one delivery.
  await db.schema
    .createIndex('deliveries_event')
    .unique()
    .on('deliveries')
    .columns(['event_id', 'endpoint_id'])
    .execute()
  // Per endpoint, so that the backlog of a slow receiver does not delay the others.
  await db.schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .columns(['endpoint_id', 'next_attempt'])
    .where(sql.ref('next_attempt'), 'is not', null)
    .execute()

  await db.schema
    .createTable('idempotency_keys')
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('request_hash', 'text', (c) => c.notNull())
    .addColumn('record_id', 'text')
    .addColumn('status', 'integer')
    .addColumn('body', 'text')
    .addColumn('busy_until', 'text', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['instance_id', 'path', 'key'])
    .execute()
  await db.schema
    .createIndex('idempotency_keys_expires')
    .on('idempotency_keys')
    .column('expires')
    .execute()
}
