import type { Kysely } from 'kysely'

/** The key of the instance of the other mode that an instance is tried with. Both name each other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('instances').addColumn('twin', 'text').execute()
}
