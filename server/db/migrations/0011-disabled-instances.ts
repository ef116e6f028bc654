import type { Kysely } from 'kysely'

/** When an instance was shut (safety section 1, rule 13). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('instances').addColumn('disabled', 'text').execute()
}
