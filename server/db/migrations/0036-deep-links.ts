import { type Kysely, sql, SqliteAdapter } from 'kysely'

/** Links that several payers can use, or that lead to one task of an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The index is built over every payment link, which can exceed the statement timeout.
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    await sql`set local statement_timeout = 0`.execute(db)
  }
  await db.schema
    .createTable('deep_links')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('slug', 'text')
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text')
    .addColumn('contract_id', 'text')
    .addColumn('charges', 'text')
    .addColumn('options', 'text', (c) => c.notNull())
    .addColumn('options_v', 'integer', (c) => c.notNull())
    .addColumn('max_uses', 'integer')
    .addColumn('uses', 'integer', (c) => c.notNull())
    .addColumn('reserved_uses', 'integer', (c) => c.notNull())
    .addColumn('last_used', 'text')
    .addColumn('expires', 'text')
    .addColumn('expiry_recorded', 'integer', (c) => c.notNull())
    .addColumn('archived', 'text')
    .addColumn('created_session', 'text')
    .addColumn('updated_session', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .addCheckConstraint(
      'deep_links_action',
      sql`action in ('PAY', 'ADD_PAYMENT_METHOD', 'PAY_CHARGES', 'MANAGE_CONTRACT')`,
    )
    .addCheckConstraint('deep_links_uses', sql`uses >= 0 and reserved_uses >= 0`)
    .execute()
  // The default order of lists.
  await db.schema
    .createIndex('deep_links_created')
    .on('deep_links')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  // A slug stands in the address, so it is unique on the server. Archived links keep theirs.
  await db.schema
    .createIndex('deep_links_slug')
    .unique()
    .on('deep_links')
    .column('slug')
    .where(sql.ref('slug'), 'is not', null)
    .execute()
  // Only links without an event of their expiry.
  await db.schema
    .createIndex('deep_links_expiry')
    .on('deep_links')
    .column('expires')
    .where(sql.ref('expires'), 'is not', null)
    .where(sql.ref('expiry_recorded'), '=', sql.lit(0))
    .execute()

  await db.schema
    .alterTable('payment_links')
    .addColumn('deep_link_id', 'text', (c) => c.references('deep_links.id'))
    .execute()
  await db.schema
    .createIndex('payment_links_of_deep_link')
    .on('payment_links')
    .columns(['deep_link_id', 'created', 'id'])
    .where(sql.ref('deep_link_id'), 'is not', null)
    .execute()
}
