import type { Kysely } from 'kysely'

/** The secret key of an actor session, for the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('actor_sessions').addColumn('key_id', 'text').execute()
}
