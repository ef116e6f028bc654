import { type Kysely, sql } from 'kysely'

/** Accounts that were anonymized, and network addresses that are removed after a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('anonymised', 'text').execute()
  await db.schema.alterTable('accounts').addColumn('erasing', 'text').execute()
  await db.schema
    .createIndex('accounts_erasing')
    .on('accounts')
    .column('id')
    .where(sql<boolean>`erasing is not null`)
    .execute()
  // Only rows that still have an address.
  await db.schema
    .createIndex('actor_sessions_addresses')
    .on('actor_sessions')
    .column('created')
    .where(sql<boolean>`ip is not null or user_agent is not null`)
    .execute()
  await db.schema
    .createIndex('checkouts_networks')
    .on('checkouts')
    .column('created')
    .where(sql<boolean>`network is not null`)
    .execute()
}
