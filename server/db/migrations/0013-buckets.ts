import type { Kysely } from 'kysely'

/** Token buckets that several processes share. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('buckets')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    // Epoch milliseconds.
    .addColumn('full_again', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('buckets_key', ['name', 'key'])
    .execute()
  await db.schema.createIndex('buckets_full').on('buckets').column('full_again').execute()
}
