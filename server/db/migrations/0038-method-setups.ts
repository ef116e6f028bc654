import { type Kysely, sql } from 'kysely'

/** Methods that are saved without a payment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('method_setups')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('session_id', 'text', (c) => c.notNull())
    .addColumn('attempt_key', 'text', (c) => c.notNull())
    .addColumn('request_hash', 'text', (c) => c.notNull())
    .addColumn('handle', 'text', (c) => c.notNull().unique())
    .addColumn('page', 'text', (c) => c.notNull())
    .addColumn('processor', 'text', (c) => c.notNull())
    .addColumn('method_type', 'text', (c) => c.notNull())
    .addColumn('consent', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('set_aside', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('payment_method_id', 'text')
    .addColumn('method_brand', 'text')
    .addColumn('method_last4', 'text')
    .addColumn('action_url', 'text')
    .addColumn('action_expires', 'text')
    .addColumn('message_id', 'text')
    .addColumn('gateway_message', 'text')
    .addColumn('gateway_reference', 'text')
    .addColumn('next_check', 'text')
    .addColumn('checks', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addCheckConstraint(
      'method_setups_state',
      sql`state in ('SENT', 'ACTION', 'PENDING', 'UNRESOLVED', 'DONE')`,
    )
    .addCheckConstraint('method_setups_status', sql`status in ('PENDING', 'SUCCESS', 'DECLINE')`)
    .addUniqueConstraint('method_setups_attempt', ['session_id', 'attempt_key'])
    .execute()
  await db.schema
    .createIndex('method_setups_account')
    .on('method_setups')
    .columns(['account_id', 'created'])
    .execute()
  await db.schema
    .createIndex('method_setups_due')
    .on('method_setups')
    .column('next_check')
    .where(sql.ref('next_check'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('method_setups_next')
    .on('method_setups')
    .columns(['instance_id', 'next_check'])
    .where(sql.ref('next_check'), 'is not', null)
    .execute()
}
