import { type Kysely, sql } from 'kysely'

/**
 * Finds the events and audit entries about a record, and the payments and contracts of a customer, without
 * a walk through the instance (D279). Events from before stay without a record; they are deleted after thirty days.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('events').addColumn('about', 'text').execute()
  await db.schema.createIndex('events_about').on('events').columns(['about', 'id']).execute()
  await db.schema
    .createIndex('audit_about')
    .on('audit')
    .column('about')
    .where(sql.ref('about'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('payments_account')
    .on('payments')
    .columns(['account_id', 'created'])
    .where(sql.ref('account_id'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('contracts_account')
    .on('contracts')
    .columns(['account_id', 'created'])
    .execute()
}
