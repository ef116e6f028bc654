import type { Kysely } from 'kysely'

/** The charges and amounts that the payer of a session was shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('checkouts').addColumn('charges', 'text').execute()
}
