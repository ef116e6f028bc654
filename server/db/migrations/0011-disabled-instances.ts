import type { Kysely } from 'kysely'

/** The time at which an instance was disabled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('instances').addColumn('disabled', 'text').execute()
}
