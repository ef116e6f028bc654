import type { Kysely } from 'kysely'

/** Which refresh tokens were rotated, and the tokens that replaced them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('oauth_tokens').addColumn('used', 'text').execute()
  await db.schema.alterTable('oauth_tokens').addColumn('parent', 'text').execute()
}
