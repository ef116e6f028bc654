import { type Kysely, sql } from 'kysely'

/**
 * Sessions that paid are kept longer than others, and the wording of a session as long as the session
 * (D290).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('checkouts_ended').execute()
  await db.schema
    .createIndex('checkouts_unpaid')
    .on('checkouts')
    .column('expires')
    .where(sql<boolean>`status in ('EXPIRED', 'ABANDONED')`)
    .execute()
  await db.schema
    .createIndex('checkouts_paid')
    .on('checkouts')
    .column('expires')
    .where(sql<boolean>`status = 'COMPLETED'`)
    .execute()
  await db.schema.createIndex('checkouts_bundle').on('checkouts').column('bundle').execute()
}
