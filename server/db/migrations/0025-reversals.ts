import { type Kysely, sql, SqliteAdapter } from 'kysely'

/** Disputes of payments, and the sandbox's disputes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A new constraint is checked on every payment, which can exceed the statement timeout.
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    await sql`set local statement_timeout = 0`.execute(db)
  }
  await createReversals(db)
  await createSandboxDisputes(db)
}

async function createReversals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('payments')
    .addColumn('disputed_amount', 'bigint', (c) =>
      c
        .notNull()
        .defaultTo(0)
        .check(sql`disputed_amount >= 0`),
    )
    .execute()
  await db.schema
    .createTable('reversals')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('payment_id', 'text', (c) => c.notNull().references('payments.id'))
    .addColumn('processor', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('due', 'text')
    .addColumn('gateway_reference', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    // One record per reversal, also when it is fetched again.
    .addUniqueConstraint('reversals_reference', ['instance_id', 'processor', 'gateway_reference'])
    .addCheckConstraint('reversals_amount', sql`amount > 0`)
    .execute()
  await db.schema
    .createIndex('reversals_created')
    .on('reversals')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  await db.schema.createIndex('reversals_payment').on('reversals').column('payment_id').execute()
  // Cursor of the reversals of an instance, and the time of the next read.
  await db.schema
    .createTable('reversal_reads')
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('processor', 'text', (c) => c.notNull())
    .addColumn('since', 'text')
    .addColumn('last_read', 'text', (c) => c.notNull())
    .addColumn('next_read', 'text', (c) => c.notNull())
    .addColumn('next_change', 'text')
    .addPrimaryKeyConstraint('reversal_reads_pkey', ['instance_id', 'processor'])
    .execute()
}

export async function createSandboxDisputes(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sandbox_operations').addColumn('merchant', 'text').execute()
  await db.schema
    .alterTable('sandbox_charges')
    .addColumn('disputed', 'bigint', (c) =>
      c
        .notNull()
        .defaultTo(0)
        .check(sql`disputed >= 0 and refunded + disputed <= amount`),
    )
    .execute()
  await db.schema
    .createTable('sandbox_disputes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('charge', 'text', (c) => c.notNull().unique().references('sandbox_charges.id'))
    .addColumn('operation', 'text', (c) => c.notNull().references('sandbox_operations.operation'))
    .addColumn('merchant', 'text', (c) => c.notNull())
    .addColumn('scenario', 'text', (c) => c.notNull())
    .addColumn('steps', 'integer', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('next_change', 'text')
    .addColumn('changed', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('sandbox_disputes_due')
    .on('sandbox_disputes')
    .columns(['merchant', 'next_change'])
    .where(sql.ref('next_change'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('sandbox_disputes_changed')
    .on('sandbox_disputes')
    .columns(['merchant', 'changed'])
    .where(sql.ref('changed'), 'is not', null)
    .execute()
}
