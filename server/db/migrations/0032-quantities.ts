import type { Kysely } from 'kysely'

/** How many of something a payer chose on a link with a price for one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('payments').addColumn('quantity', 'integer').execute()
  await db.schema.alterTable('payments').addColumn('unit_amount', 'bigint').execute()
  await db.schema.alterTable('checkouts').addColumn('quantity', 'integer').execute()
}
