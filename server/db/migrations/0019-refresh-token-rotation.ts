import type { Kysely } from 'kysely'

/** Which refresh tokens were exchanged for another one, and which tokens came of which exchange. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('oauth_tokens').addColumn('used', 'text').execute()
  await db.schema.alterTable('oauth_tokens').addColumn('parent', 'text').execute()
}
