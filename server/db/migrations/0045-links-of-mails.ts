import type { Kysely } from 'kysely'

/** The deep link that a mail leads to, which is made once for all tries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('mails').addColumn('deep_link_id', 'text').execute()
}
