import type { Kysely } from 'kysely'

/**
 * When a link was first and last opened, found without reading its sessions, let alone all of the
 * instance, which is what SQLite does to find the first by an index that is in order of time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('checkouts_of_link')
    .on('checkouts')
    .columns(['instance_id', 'payment_link_id', 'created'])
    .execute()
  await db.schema.dropIndex('checkouts_payment_link').execute()
}
