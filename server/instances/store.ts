import { expressionBuilder, sql } from 'kysely'
import type { Instance } from '../db/tables/instances.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Db, Tables, Tx } from '../db/tables.ts'

/** A segment of every API URL. */
export const INSTANCE_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/

/** Disabled instances are included. */
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

export async function getInstance(db: Db, id: string): Promise<Instance> {
  return db.selectFrom('instances').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export async function lockInstance(tx: Tx, id: string): Promise<Instance> {
  return lockRow(tx, 'instances', id)
}

export async function insertInstance(tx: Tx, instance: Instance): Promise<void> {
  await tx.insertInto('instances').values(instance).execute()
}

/** Returns false when the settings have changed since version `readVersion`. */
export async function updateInstance(
  tx: Tx,
  instance: Instance,
  readVersion: number,
): Promise<boolean> {
  // Not written here: `strings_version`, and `disabled`, which a concurrent change of
  // settings must not undo.
  const { id, strings_version: _wording, disabled: _disabled, ...rest } = instance
  const { legal_entities_version: _entities, ...others } = rest
  // The test clock never goes back.
  const { clock_offset_ms: _offset, clock_target: _target, ...settings } = others
  const result = await tx
    .updateTable('instances')
    .set(settings)
    .where('id', '=', id)
    .where('v', '=', readVersion)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The ids of all enabled instances, as a subquery. */
export function enabledInstances() {
  return expressionBuilder<Tables>()
    .selectFrom('instances')
    .select('id')
    .where('disabled', 'is', null)
}

/** The id of one row's instance if it is enabled, as a subquery. */
export function enabledInstanceOf(
  column: 'charges.instance_id' | 'deep_links.instance_id' | 'payment_links.instance_id',
) {
  return enabledInstances().where('instances.id', '=', sql.ref<string>(column))
}

/** Disables an instance at an ISO time, or enables it with null. Returns false without a change. */
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

/** Finds an instance by the names of a command; without names, the oldest one. */
export async function findInstanceByNames(
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

/** Disabled instances count, since their payers may still be at a bank. */
export async function hasTestInstance(db: Db): Promise<boolean> {
  return (await selectTestInstance(db, {})).rows.length > 0
}

const selectTestInstance = compiledQuery((db: Db) =>
  db.selectFrom('instances').select('id').where('mode', '=', 'TEST').limit(1),
)

/** Returns the instances of all merchants, oldest first. */
export async function listInstances(db: Db) {
  return db
    .selectFrom('instances')
    .innerJoin('merchants', 'merchants.id', 'instances.merchant_id')
    .select(['merchants.name as merchant', 'instances.key', 'instances.name', 'instances.mode'])
    .select(['instances.created', 'instances.disabled'])
    .orderBy('instances.created')
    .orderBy('instances.id')
    .execute()
}

/** Whether a LIVE instance is enabled. */
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

/** Returns the enabled instances of a merchant, oldest first. */
export async function listMerchantInstances(db: Db, merchantId: string) {
  return db
    .selectFrom('instances')
    .select(['id', 'key', 'name', 'mode', 'twin', 'default_currency', 'timezone', 'disabled'])
    .where('merchant_id', '=', merchantId)
    .where('disabled', 'is', null)
    .orderBy('created')
    .orderBy('id')
    .execute()
}
