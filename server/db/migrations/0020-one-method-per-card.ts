import { type Kysely, sql } from 'kysely'

/**
 * One stored method per card or bank account of an account, and indexes for the outstanding charges
 * of a method.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null for removed methods and for all but the newest of existing duplicates. The duplicates stay,
  // because payments and contracts refer to them.
  await db.schema.alterTable('payment_methods').addColumn('dedupe_key', 'text').execute()
  await sql`
    update payment_methods set dedupe_key = fingerprint
    where status = 'ACTIVE' and not exists (
      select 1 from payment_methods newer
      where newer.instance_id = payment_methods.instance_id
        and newer.account_id = payment_methods.account_id
        and newer.processor = payment_methods.processor
        and newer.fingerprint = payment_methods.fingerprint
        and newer.status = 'ACTIVE'
        and (newer.created > payment_methods.created
          or (newer.created = payment_methods.created and newer.id > payment_methods.id))
    )`.execute(db)
  await db.schema
    .createIndex('payment_methods_dedupe_key')
    .unique()
    .on('payment_methods')
    .columns(['instance_id', 'account_id', 'processor', 'dedupe_key'])
    .execute()

  for (const table of ['contracts', 'charges']) {
    await db.schema
      .createIndex(`${table}_payment_method`)
      .on(table)
      .column('payment_method_id')
      .where(sql.ref('payment_method_id'), 'is not', null)
      .execute()
  }
}
