import { type Kysely, sql, SqliteAdapter } from 'kysely'

/**
 * The test clock of an instance. Jobs query instances with a moved clock separately, hence indexes
 * of due work per instance.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Creating the indexes can take longer than the statement timeout.
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    await sql`set local statement_timeout = 0`.execute(db)
  }
  await db.schema.alterTable('instances').addColumn('clock_offset_ms', 'bigint').execute()
  await db.schema.alterTable('instances').addColumn('clock_target', 'text').execute()
  await db.schema
    .createIndex('instances_moved')
    .on('instances')
    .column('id')
    .where(sql.ref('clock_offset_ms'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('contracts_due_of_instance')
    .on('contracts')
    .columns(['instance_id', 'next_due'])
    .where(sql.ref('status'), '=', sql.lit('ACTIVE'))
    .where(sql.ref('started'), '=', sql.lit(1))
    .execute()
  await db.schema
    .createIndex('charges_due_of_instance')
    .on('charges')
    .columns(['instance_id', 'next_attempt'])
    .where(sql.ref('next_attempt'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('payments_scheduled_of_instance')
    .on('payments')
    .columns(['instance_id', 'due'])
    .where(sql.ref('status'), '=', sql.lit('SCHEDULED'))
    .execute()
  await db.schema
    .createIndex('payment_links_expiry_of_instance')
    .on('payment_links')
    .columns(['instance_id', 'expires'])
    .where(sql.ref('expires'), 'is not', null)
    .where(sql.ref('expiry_told'), '=', sql.lit(0))
    .execute()
  await db.schema
    .createIndex('checkouts_open_of_instance')
    .on('checkouts')
    .columns(['instance_id', 'expires'])
    .where(sql.ref('status'), '=', sql.lit('OPEN'))
    .execute()
}
