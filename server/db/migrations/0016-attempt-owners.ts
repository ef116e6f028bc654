import { type Kysely, sql } from 'kysely'

/**
 * Which process sent a call, so that it is known when that process has died; and the events of each
 * instance that are yet to be handed out, so that instances take turns.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('attempts').addColumn('owner', 'text').execute()
  await db.schema.dropIndex('events_fan_out').execute()
  await db.schema
    .createIndex('events_fan_out')
    .on('events')
    .columns(['instance_id', 'id'])
    .where(sql.ref('fan_out'), '=', sql.lit(1))
    .execute()
}
