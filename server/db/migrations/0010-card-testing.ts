import { type Kysely, sql } from 'kysely'

/** Data for the detection of card testing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('checkouts').addColumn('network', 'text').execute()
  // The newest attempts of payers; recurring payments are not evidence of card testing.
  await db.schema
    .createIndex('attempts_of_payers')
    .on('attempts')
    .columns(['instance_id', 'created'])
    .where(sql.ref('checkout_id'), 'is not', null)
    .execute()
}
