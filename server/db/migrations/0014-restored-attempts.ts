import type { Kysely } from 'kysely'

/** Which operations a database was put back over before their outcome was known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('attempts')
    .addColumn('restored', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
