import type { Kysely } from 'kysely'

/** Who changed which strings, from what to what. Strings of before have no history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('strings').addColumn('updated_session', 'text').execute()
  // Tells whether an upgrade changed the shipped text since. Unknown for strings of before.
  await db.schema.alterTable('strings').addColumn('shipped_hash', 'text').execute()
  await db.schema
    .createTable('string_revisions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('note', 'text')
    .addColumn('reverts', 'text', (c) => c.references('string_revisions.id'))
    .addColumn('changes', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_session', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('string_revisions_created')
    .on('string_revisions')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  await db.schema
    .createTable('string_changes')
    .addColumn('revision_id', 'text', (c) => c.notNull().references('string_revisions.id'))
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('branding', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    // Null where there was no string, and where there is none afterwards.
    .addColumn('text_before', 'text')
    .addColumn('text_after', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('string_changes_of_revision', [
      'revision_id',
      'branding',
      'language',
      'id',
    ])
    .execute()
  // Whether a string was changed since a version.
  await db.schema
    .createIndex('string_changes_since')
    .on('string_changes')
    .columns(['instance_id', 'branding', 'language', 'id', 'version'])
    .execute()
}
