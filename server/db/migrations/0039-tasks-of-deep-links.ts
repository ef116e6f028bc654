import { type Kysely, sql } from 'kysely'

/** Sessions of customers who do the task of a deep link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('deep_links').addColumn('allow', 'text').execute()
  await db.schema.alterTable('deep_links').addColumn('last_use', 'text').execute()
  await db.schema
    .createTable('deep_link_sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('deep_link_id', 'text', (c) => c.notNull().references('deep_links.id'))
    .addColumn('token_hash', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('actor_session', 'text', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('deep_link_sessions_of_link')
    .on('deep_link_sessions')
    .columns(['deep_link_id', 'expires'])
    .execute()
  await db.schema
    .createIndex('deep_link_sessions_expires')
    .on('deep_link_sessions')
    .column(sql.ref('expires'))
    .execute()
}
