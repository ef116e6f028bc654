import { type Kysely, sql } from 'kysely'

/** What is needed to notice that somebody tries out cards (safety row 14). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('checkouts').addColumn('network', 'text').execute()
  // The newest attempts of payers; what a server does by itself says nothing about them.
  await db.schema
    .createIndex('attempts_of_payers')
    .on('attempts')
    .columns(['instance_id', 'created'])
    .where(sql.ref('checkout_id'), 'is not', null)
    .execute()
}
