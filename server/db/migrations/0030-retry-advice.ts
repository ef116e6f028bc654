import { type Kysely, sql } from 'kysely'

/**
 * What a processor advises after a decline and about a payment, and the tokens of removed methods that
 * processors have yet to forget.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['payments', 'charges'] as const) {
    await db.schema.alterTable(table).addColumn('retry_advice', 'text').execute()
  }
  await db.schema
    .alterTable('payments')
    .addColumn('risk_review', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('tokens_to_forget')
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('processor', 'text', (c) => c.notNull())
    .addColumn('processor_token', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('first_try', 'text')
    .addColumn('next_try', 'text')
    .addPrimaryKeyConstraint('tokens_to_forget_pkey', [
      'instance_id',
      'processor',
      'processor_token',
    ])
    .execute()
  await db.schema
    .createIndex('tokens_to_forget_due')
    .on('tokens_to_forget')
    .column('next_try')
    .execute()
  // A processor's notification names a method by its token.
  await db.schema
    .createIndex('payment_methods_token')
    .on('payment_methods')
    .columns(['processor', 'processor_token'])
    .where(sql.ref('status'), '=', sql.lit('ACTIVE'))
    .execute()
}
