import type { Kysely } from 'kysely'

/** What each user may do. Existing users could do everything, so they become owners. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('role', 'text', (c) => c.notNull().defaultTo('OWNER'))
    .execute()
  for (const column of ['instances', 'languages']) {
    await db.schema.alterTable('users').addColumn(column, 'text').execute()
  }
}
