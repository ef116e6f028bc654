import type { Kysely } from 'kysely'

/** Serves the list of deliveries to all webhooks of an instance, with or without a status. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('deliveries_instance')
    .on('deliveries')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  await db.schema
    .createIndex('deliveries_status')
    .on('deliveries')
    .columns(['instance_id', 'status', 'created'])
    .execute()
}
