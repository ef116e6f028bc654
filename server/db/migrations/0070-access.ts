import type { Kysely } from 'kysely'

/**
 * When a platform last used its grant, from which addresses a secret key works, up to which amount support
 * users refund, and the names of actors of the audit log as its criteria compare them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['oauth_grants', 'last_used'],
    ['secret_keys', 'allowed_addresses'],
    ['instances', 'support_refund_max'],
    ['audit', 'actor_name_lower'],
  ] as const) {
    await db.schema.alterTable(table).addColumn(column, 'text').execute()
  }
}
