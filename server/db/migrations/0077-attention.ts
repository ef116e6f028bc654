import { type Kysely, sql } from 'kysely'

/** Finds the few refunds, reversals and charges that need attention among millions (D291). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('refunds_to_make')
    .on('refunds')
    .column('instance_id')
    .where(sql<boolean>`manual = 1 and status = 'PENDING'`)
    .execute()
  await db.schema
    .createIndex('reversals_open')
    .on('reversals')
    .column('instance_id')
    .where(sql<boolean>`status = 'OPEN'`)
    .execute()
  await db.schema
    .createIndex('charges_failed')
    .on('charges')
    .column('instance_id')
    .where(sql<boolean>`status = 'ACTIVE' and attempts >= 3`)
    .execute()
}
