import type { Kysely } from 'kysely'

/** The amount above which a live refund from the console needs a fresh proof of who its user is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('instances').addColumn('step_up_refund', 'text').execute()
}
