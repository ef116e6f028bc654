import type { Kysely } from 'kysely'

/** Whether a session is on a deep link for one customer. The counts name the links of all others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('checkouts')
    .addColumn('personal', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
