import { type Kysely, sql } from 'kysely'

/** The ledger of the sandbox processor, which simulates a gateway. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sandbox_settings')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()

  // No column here could hold a card number or a security code.
  await db.schema
    .createTable('sandbox_tokens')
    .addColumn('token', 'text', (c) => c.primaryKey())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('brand', 'text')
    .addColumn('last4', 'text', (c) => c.notNull())
    .addColumn('exp_month', 'integer')
    .addColumn('exp_year', 'integer')
    .addColumn('country', 'text')
    .addColumn('scenario', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('stored', 'integer', (c) => c.notNull())
    .addColumn('used_by', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('sandbox_operations')
    .addColumn('operation', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('content_hash', 'text')
    .addColumn('reference', 'text', (c) => c.unique())
    .addColumn('follows', 'text')
    .addColumn('amount', 'bigint')
    .addColumn('currency', 'text')
    .addColumn('method_type', 'text')
    .addColumn('token', 'text')
    .addColumn('store', 'integer', (c) => c.notNull())
    .addColumn('scenario', 'text')
    .addColumn('code', 'text')
    .addColumn('message', 'text')
    .addColumn('three_ds', 'text')
    .addColumn('challenge', 'text', (c) => c.unique())
    .addColumn('return_url', 'text')
    .addColumn('settles_at', 'text')
    .addColumn('stored_token', 'text')
    .addColumn('authorised_until', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .execute()

  // One charge per operation, and refunds never exceed it.
  await db.schema
    .createTable('sandbox_charges')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('operation', 'text', (c) =>
      c.notNull().unique().references('sandbox_operations.operation'),
    )
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('refunded', 'bigint', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addCheckConstraint('sandbox_charges_amount', sql`amount > 0`)
    .addCheckConstraint('sandbox_charges_refunded', sql`refunded >= 0 and refunded <= amount`)
    .execute()

  await db.schema
    .createTable('sandbox_authorisations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('operation', 'text', (c) =>
      c.notNull().unique().references('sandbox_operations.operation'),
    )
    .addColumn('reserved', 'bigint', (c) => c.notNull())
    .addColumn('captured', 'bigint', (c) => c.notNull())
    .addColumn('released', 'bigint', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('authorised_until', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addCheckConstraint(
      'sandbox_authorisations_open',
      sql`captured >= 0 and released >= 0 and captured + released <= reserved`,
    )
    .execute()

  await db.schema
    .createTable('sandbox_refunds')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('operation', 'text', (c) =>
      c.notNull().unique().references('sandbox_operations.operation'),
    )
    .addColumn('charge', 'text', (c) => c.notNull().references('sandbox_charges.id'))
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addCheckConstraint('sandbox_refunds_amount', sql`amount > 0`)
    .execute()

  await db.schema
    .createTable('sandbox_voids')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('operation', 'text', (c) =>
      c.notNull().unique().references('sandbox_operations.operation'),
    )
    .addColumn('authorisation', 'text', (c) => c.notNull().references('sandbox_authorisations.id'))
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addCheckConstraint('sandbox_voids_amount', sql`amount > 0`)
    .execute()
}
