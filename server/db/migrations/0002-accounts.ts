import type { Kysely } from 'kysely'

/** Accounts and their stored payment methods. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('crm_key', 'text', (c) => c.notNull())
    // Written by the server instead of an index on an expression: with an own `lower` in an index,
    // other programs could neither open the SQLite file nor write to it safely.
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
  // Several accounts may share a crm_key; the most recently updated one is found by it.
  await db.schema
    .createIndex('accounts_crm_key')
    .on('accounts')
    .columns(['instance_id', 'crm_key', 'updated'])
    .execute()
  // The default order of lists.
  await db.schema
    .createIndex('accounts_created')
    .on('accounts')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  // The same order for lists with criteria.
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
