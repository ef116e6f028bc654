import { type Kysely, sql } from 'kysely'

/** Set-ups by which a payer begins a contract with a free period, and what they agreed to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const setups = (column: string) =>
    db.schema.alterTable('method_setups').addColumn(column, 'text').execute()
  await db.schema
    .alterTable('method_setups')
    .addColumn('payment_link_id', 'text', (c) => c.references('payment_links.id'))
    .execute()
  await setups('agreement')
  await setups('payer_details')
  await setups('returned')
  await setups('gateway_status')
  await setups('decline_code')
  await db.schema
    .alterTable('method_setups')
    .addColumn('restored', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('method_setups_link')
    .on('method_setups')
    .columns(['payment_link_id', 'created'])
    .where(sql.ref('payment_link_id'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('method_setups_trials')
    .on('method_setups')
    .columns(['instance_id', 'created'])
    .where(sql.ref('payment_link_id'), 'is not', null)
    .execute()
  await db.schema.alterTable('contracts').addColumn('trial_days', 'integer').execute()
  await db.schema.alterTable('contracts').addColumn('consent', 'text').execute()
}
