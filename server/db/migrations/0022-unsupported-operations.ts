import type { Kysely } from 'kysely'

/** What a processor says it cannot do with a payment, such as a second capture. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('payments').addColumn('unsupported', 'text').execute()
}
