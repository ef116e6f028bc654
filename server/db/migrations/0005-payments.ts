import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Payments, what was sent to processors for them, and the attempts that tie the two together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('payments')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('captured_amount', 'bigint', (c) => c.notNull())
    .addColumn('refunded_amount', 'bigint', (c) => c.notNull())
    .addColumn('alt_key', 'text')
    .addColumn('alt_key_folded', 'text')
    .addColumn('description', 'text')
    .addColumn('payer_comment', 'text')
    .addColumn('payer_details', 'text')
    .addColumn('reference', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('channel', 'text')
    .addColumn('metadata', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text')
    .addColumn('payment_link_id', 'text')
    .addColumn('payment_method_id', 'text')
    .addColumn('transaction_id', 'text')
    .addColumn('gateway_status', 'text')
    .addColumn('gateway_message', 'text')
    .addColumn('gateway_reference', 'text')
    .addColumn('three_ds', 'text')
    .addColumn('processed', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .addUniqueConstraint('payments_reference', ['instance_id', 'reference'])
    // The database itself refuses to give back or take more than was agreed.
    .addCheckConstraint('payments_amount', sql`amount > 0`)
    .addCheckConstraint(
      'payments_captured',
      sql`captured_amount >= 0 and captured_amount <= amount`,
    )
    .addCheckConstraint(
      'payments_refunded',
      sql`refunded_amount >= 0 and refunded_amount <= amount`,
    )
    .execute()
  // One living payment per link, whatever the code above it believes.
  await db.schema
    .createIndex('payments_one_per_link')
    .unique()
    .on('payments')
    .column('payment_link_id')
    .where(sql.ref('status'), 'in', sql`('PENDING', 'UNRESOLVED', 'SUCCESS')`)
    .execute()
  await db.schema
    .createIndex('payments_alt_key')
    .on('payments')
    .columns(['instance_id', 'alt_key_folded', 'created'])
    .execute()
  await db.schema
    .createIndex('payments_payment_link')
    .on('payments')
    .columns(['payment_link_id', 'created'])
    .execute()

  await db.schema
    .createTable('transactions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('payment_id', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('processor', 'text', (c) => c.notNull())
    .addColumn('gateway_reference', 'text')
    .addColumn('gateway_status', 'text')
    .addColumn('gateway_message', 'text')
    .addColumn('account_id', 'text')
    .addColumn('payment_method_id', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('processed', 'text')
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('transactions_payment')
    .on('transactions')
    .columns(['payment_id', 'created'])
    .execute()

  await db.schema
    .createTable('attempts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('payment_id', 'text', (c) => c.notNull().references('payments.id'))
    .addColumn('transaction_id', 'text', (c) => c.notNull().references('transactions.id'))
    .addColumn('payment_link_id', 'text', (c) => c.notNull().references('payment_links.id'))
    .addColumn('checkout_id', 'text', (c) => c.notNull().references('checkouts.id'))
    .addColumn('attempt_key', 'text', (c) => c.notNull())
    .addColumn('request_hash', 'text', (c) => c.notNull())
    .addColumn('handle', 'text', (c) => c.notNull().unique())
    .addColumn('returned', 'text')
    .addColumn('processor', 'text', (c) => c.notNull())
    .addColumn('method_type', 'text', (c) => c.notNull())
    .addColumn('saved_method_id', 'text')
    .addColumn('save', 'integer', (c) => c.notNull())
    .addColumn('reusable', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('action_url', 'text')
    .addColumn('message_id', 'text')
    .addColumn('method_brand', 'text')
    .addColumn('method_last4', 'text')
    .addColumn('next_check', 'text')
    .addColumn('checks', 'integer', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addUniqueConstraint('attempts_key', ['checkout_id', 'attempt_key'])
    .execute()
  // Only what is not final waits here, so the reconciler's look is one short index probe.
  await db.schema
    .createIndex('attempts_due')
    .on('attempts')
    .column('next_check')
    .where(sql.ref('next_check'), 'is not', null)
    .execute()
}
