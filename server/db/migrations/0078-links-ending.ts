import { type Kysely, sql } from 'kysely'

/** Finds the links that end soon and can still be paid, without those that were paid (D291). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('payment_links_ending')
    .on('payment_links')
    .columns(['instance_id', 'expires'])
    .where(sql<boolean>`status = 'ACTIVE' and expires is not null`)
    .execute()
}
