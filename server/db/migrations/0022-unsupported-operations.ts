import type { Kysely } from 'kysely'

/** Operations that a processor does not support for a payment, such as a second capture. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('payments').addColumn('unsupported', 'text').execute()
}
