import type { Kysely } from 'kysely'

/** Views of lists that the users of an instance share. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('views')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('list', 'text', (c) => c.notNull())
    .addColumn('query', 'text', (c) => c.notNull())
    .addColumn('created_session', 'text', (c) => c.notNull().references('actor_sessions.id'))
    .addColumn('created', 'text', (c) => c.notNull())
    .addUniqueConstraint('views_name', ['instance_id', 'list', 'name'])
    .execute()
}
