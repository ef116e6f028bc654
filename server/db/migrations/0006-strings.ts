import type { Kysely } from 'kysely'

/** Strings that merchants override, and a version that invalidates caches of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('strings')
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    // Empty for strings of the instance itself, because a key cannot contain null.
    .addColumn('branding', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('strings_scope', ['instance_id', 'branding', 'language', 'id'])
    .execute()
  await db.schema
    .alterTable('instances')
    .addColumn('strings_version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
}
