import type { Kysely } from 'kysely'

/** The people who pay, and the payment methods they allowed us to keep. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('crm_key', 'text', (c) => c.notNull())
    // Kept by the server and not by an index on an expression: SQLite would need our own `lower`
    // to read the file at all, and any other program that wrote to it would spoil the index.
    .addColumn('crm_key_folded', 'text', (c) => c.notNull())
    .addColumn('email_folded', 'text')
    .addColumn('first_name', 'text')
    .addColumn('last_name', 'text')
    .addColumn('company', 'text')
    .addColumn('email', 'text')
    .addColumn('phone', 'text')
    .addColumn('address', 'text')
    .addColumn('metadata', 'text', (c) => c.notNull())
    .addColumn('tags', 'text')
    .addColumn('locale', 'text')
    .addColumn('timezone', 'text')
    .addColumn('channel', 'text')
    .addColumn('division', 'text')
    .addColumn('crm', 'text')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('last_transacted', 'text')
    .addColumn('last_transaction_id', 'text')
    .addColumn('created_session', 'text')
    .addColumn('updated_session', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .execute()
  // Several accounts may share a crm_key; the most recently updated one answers to it.
  await db.schema
    .createIndex('accounts_crm_key')
    .on('accounts')
    .columns(['instance_id', 'crm_key', 'updated'])
    .execute()
  // The order in which a list comes unless it asks for another.
  await db.schema
    .createIndex('accounts_created')
    .on('accounts')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  // Those that a criterion finds come in that order too.
  for (const folded of ['crm_key_folded', 'email_folded']) {
    await db.schema
      .createIndex(`accounts_${folded}`)
      .on('accounts')
      .columns(['instance_id', folded, 'created', 'id'])
      .execute()
  }

  await db.schema
    .createTable('payment_methods')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('brand', 'text')
    .addColumn('last4', 'text')
    .addColumn('exp_month', 'integer')
    .addColumn('exp_year', 'integer')
    .addColumn('funding', 'text')
    .addColumn('country', 'text')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('reusable', 'integer', (c) => c.notNull())
    .addColumn('consent', 'text', (c) => c.notNull())
    .addColumn('processor', 'text', (c) => c.notNull())
    .addColumn('processor_token', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('payment_methods_created')
    .on('payment_methods')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  await db.schema
    .createIndex('payment_methods_account')
    .on('payment_methods')
    .columns(['instance_id', 'account_id', 'created'])
    .execute()
}
