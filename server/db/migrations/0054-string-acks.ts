import type { Kysely } from 'kysely'

/** Strings that the merchant found right although what they depend on has changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('string_acks')
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('branding', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('created_session', 'text')
    .addPrimaryKeyConstraint('string_acks_scope', ['instance_id', 'branding', 'language', 'id'])
    .execute()
}
