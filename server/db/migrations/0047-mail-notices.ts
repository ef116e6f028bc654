import type { Kysely } from 'kysely'

/** Whether notices that are not required are mailed to a customer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('accounts')
    .addColumn('mail_notices', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
}
