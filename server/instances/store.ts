import { expressionBuilder, sql } from 'kysely'
import type { Instance } from '../db/rows.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Db, Tables, Tx } from '../db/tables.ts'

/** Who uses the server: merchants, instances, users, secret keys. */

/** What an instance's key may be: it is a segment of every address. */
export const INSTANCE_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/

/** The instance of a merchant by its key, unique within the merchant; disabled ones included. */
export async function findInstance(
  db: Db,
  merchantId: string,
  key: string,
): Promise<Instance | undefined> {
  if (!INSTANCE_KEY.test(key)) return undefined
  return db
    .selectFrom('instances')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** An instance by its id; for payer pages, where the link names it. */
export async function getInstance(db: Db, id: string): Promise<Instance> {
  return db.selectFrom('instances').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** An instance whose settings stay as they are until the transaction ends. */
export async function lockInstance(tx: Tx, id: string): Promise<Instance> {
  return lockRow(tx, 'instances', id)
}

export async function insertInstance(tx: Tx, instance: Instance): Promise<void> {
  await tx.insertInto('instances').values(instance).execute()
}

/** Writes changed settings if nobody changed them since they were read; false otherwise. */
export async function updateInstance(
  tx: Tx,
  instance: Instance,
  readVersion: number,
): Promise<boolean> {
  // The version of the wording belongs to those who write wording, and whether the instance works
  // to whoever runs the server: a change that was under way must not open it again.
  const { id, strings_version: _wording, disabled: _disabled, ...others } = instance
  // Its clock never goes back.
  const { clock_offset_ms: _offset, clock_target: _target, ...settings } = others
  const result = await tx
    .updateTable('instances')
    .set(settings)
    .where('id', '=', id)
    .where('v', '=', readVersion)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** For queries of jobs, which work for all merchants: the instances that are not disabled. */
export function openInstances() {
  return expressionBuilder<Tables>()
    .selectFrom('instances')
    .select('id')
    .where('disabled', 'is', null)
}

/**
 * The same for a statement that decides about one row: the row's instance, unless it is disabled.
 * `column` names the instance in that statement.
 */
export function openInstanceOf(column: 'charges.instance_id' | 'payment_links.instance_id') {
  return openInstances().where('instances.id', '=', sql.ref<string>(column))
}

/**
 * Shuts an instance at a time, or opens it again with null. False when there was nothing to change.
 */
export async function setInstanceDisabled(
  tx: Tx,
  id: string,
  disabled: string | null,
): Promise<boolean> {
  const result = await tx
    .updateTable('instances')
    .set({ disabled })
    .where('id', '=', id)
    .where('disabled', disabled === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The instance that a command means; the first one where it names nothing. */
export async function findNamedInstance(
  db: Db,
  merchant: string | undefined,
  key: string | undefined,
): Promise<Instance | undefined> {
  let query = db
    .selectFrom('instances')
    .innerJoin('merchants', 'merchants.id', 'instances.merchant_id')
    .selectAll('instances')
    .orderBy('instances.created')
    .orderBy('instances.id')
  if (merchant !== undefined) query = query.where('merchants.name', '=', merchant)
  if (key !== undefined) query = query.where('instances.key', '=', key)
  return query.executeTakeFirst()
}

/** Whether any instance of the server is for tests; a disabled one may still have payers at a bank. */
export async function hasTestInstance(db: Db): Promise<boolean> {
  return (await selectTestInstance(db, {})).rows.length > 0
}

const selectTestInstance = compiledQuery((db: Db) =>
  db.selectFrom('instances').select('id').where('mode', '=', 'TEST').limit(1),
)

/** An instance as a list for whoever runs the server shows it. */
export interface ListedInstance {
  merchant: string
  key: string
  name: string
  mode: 'TEST' | 'LIVE'
  created: string
  disabled: string | null
}

/** Every instance of the server, of all merchants, in the order in which they were made. */
export async function listInstances(db: Db): Promise<ListedInstance[]> {
  return db
    .selectFrom('instances')
    .innerJoin('merchants', 'merchants.id', 'instances.merchant_id')
    .select(['merchants.name as merchant', 'instances.key', 'instances.name', 'instances.mode'])
    .select(['instances.created', 'instances.disabled'])
    .orderBy('instances.created')
    .orderBy('instances.id')
    .execute()
}

/** Whether an instance that takes real money is open. */
export async function hasLiveInstance(db: Db): Promise<boolean> {
  const live = await db
    .selectFrom('instances')
    .select('id')
    .where('mode', '=', 'LIVE')
    .where('disabled', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return live !== undefined
}

/** The instances of a merchant that work, in the order in which they were made. */
export async function listMerchantInstances(
  db: Db,
  merchantId: string,
): Promise<{ id: string; key: string; name: string; mode: 'TEST' | 'LIVE' }[]> {
  return db
    .selectFrom('instances')
    .select(['id', 'key', 'name', 'mode'])
    .where('merchant_id', '=', merchantId)
    .where('disabled', 'is', null)
    .orderBy('created')
    .orderBy('id')
    .execute()
}
