import { type Kysely, sql, SqliteAdapter } from 'kysely'

/** Returns, refunds made elsewhere, refunds that failed later, fees, and notices about attempts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A new constraint is checked on every payment, which can exceed the statement timeout.
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    await sql`set local statement_timeout = 0`.execute(db)
  }
  await db.schema
    .alterTable('payments')
    .addColumn('external_refund_amount', 'bigint', (c) =>
      c
        .notNull()
        .defaultTo(0)
        .check(sql`external_refund_amount >= 0`),
    )
    .execute()
  for (const column of ['fee_amount', 'net_amount'] as const) {
    await db.schema.alterTable('payments').addColumn(column, 'bigint').execute()
  }
  await db.schema.alterTable('payments').addColumn('fee_currency', 'text').execute()
  await db.schema
    .alterTable('payment_parts')
    .addColumn('returned_amount', 'bigint', (c) =>
      c
        .notNull()
        .defaultTo(0)
        .check(sql`returned_amount >= 0 and refunded_amount + returned_amount <= amount`),
    )
    .execute()
  await db.schema
    .alterTable('refunds')
    .addColumn('failed_later', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  // Only of a refund that failed later.
  await db.schema
    .alterTable('reversals')
    .addColumn('refund_id', 'text', (c) => c.references('refunds.id'))
    .execute()
  await db.schema
    .alterTable('attempts')
    .addColumn('noticed', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
