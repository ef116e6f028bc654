import type { Kysely } from 'kysely'

/** Marks attempts that were open in the backup when a database was restored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('attempts')
    .addColumn('restored', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
