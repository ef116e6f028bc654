import { type Kysely, sql } from 'kysely'

/**
 * The process that sent a call, to detect that it died; and an index of the events per instance that
 * are not fanned out, so that instances take turns.
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
