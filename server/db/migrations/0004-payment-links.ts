import { type Kysely, sql } from 'kysely'

/** Payment links, checkout sessions and the string bundles that sessions freeze. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('payment_links')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('expires', 'text')
    .addColumn('archived', 'text')
    .addColumn('options', 'text', (c) => c.notNull())
    .addColumn('options_v', 'integer', (c) => c.notNull())
    .addColumn('state', 'text')
    .addColumn('account_id', 'text')
    .addColumn('contract_id', 'text')
    .addColumn('charge_id', 'text')
    .addColumn('transaction_id', 'text')
    .addColumn('payment_method_id', 'text')
    .addColumn('payment_id', 'text')
    .addColumn('claim', 'text')
    .addColumn('opening_told', 'integer', (c) => c.notNull())
    .addColumn('expiry_told', 'integer', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .addCheckConstraint(
      'payment_links_status',
      sql`status in ('ACTIVE', 'PAYMENT_PENDING', 'PAYMENT_SUCCESS')`,
    )
    .execute()

  // The default order of lists.
  await db.schema
    .createIndex('payment_links_created')
    .on('payment_links')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  // Only links without an event of their expiry.
  await db.schema
    .createIndex('payment_links_expiry')
    .on('payment_links')
    .column('expires')
    .where(sql.ref('expires'), 'is not', null)
    .where(sql.ref('expiry_told'), '=', sql.lit(0))
    .execute()

  await db.schema
    .createTable('bundles')
    // The first 132 bits of the hash, because every session stores it.
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('strings', 'text', (c) => c.notNull())
    .addColumn('used', 'text', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('checkouts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('payment_link_id', 'text', (c) => c.notNull().references('payment_links.id'))
    .addColumn('token_hash', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('merchant', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('branding', 'text')
    .addColumn('timezone', 'text')
    // No foreign key: a bundle is deleted before its expired sessions.
    .addColumn('bundle', 'text', (c) => c.notNull())
    .addColumn('options_v', 'integer', (c) => c.notNull())
    .addColumn('account_id', 'text')
    .addColumn('amount', 'bigint')
    .addColumn('currency', 'text')
    .addColumn('alt_key', 'text')
    .addColumn('description', 'text')
    .addColumn('payer_comment', 'text')
    .addColumn('embedded_origin', 'text')
    .addColumn('milestones', 'text', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .execute()
  // The times of the first and last opening are read from the sessions, so that only the first
  // session writes to the link.
  await db.schema
    .createIndex('checkouts_payment_link')
    .on('checkouts')
    .column('payment_link_id')
    .execute()
  await db.schema
    .createIndex('checkouts_created')
    .on('checkouts')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  // Only sessions that are still to be closed.
  await db.schema
    .createIndex('checkouts_open')
    .on('checkouts')
    .column('expires')
    .where(sql.ref('status'), '=', sql.lit('OPEN'))
    .execute()
}
