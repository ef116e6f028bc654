import { expressionBuilder, type Selectable, sql } from 'kysely'
import { compiledQuery } from '../db/compiled-query.ts'
import { hasRowLocks } from '../db/transaction.ts'
import type { Db, InstancesTable, SecretKeysTable, Tables, Tx, UsersTable } from '../db/tables.ts'

/** Who uses the server: merchants, instances, users, secret keys. */

export type Instance = Selectable<InstancesTable>
/** What an instance's key may be: it is a segment of every address. */
export const INSTANCE_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/

export type User = Selectable<UsersTable>

/**
 * The instance that a secret key opens, by the key's hash; undefined when the key is revoked or
 * unknown, or the instance disabled.
 */
export async function findInstanceByKeyHash(db: Db, hash: string): Promise<Instance | undefined> {
  return (await selectByKeyHash(db, { hash })).rows[0]
}

const selectByKeyHash = compiledQuery((db: Db, { hash }: { hash: string }) =>
  db
    .selectFrom('secret_keys')
    .innerJoin('instances', 'instances.id', 'secret_keys.instance_id')
    .selectAll('instances')
    .where('secret_keys.hash', '=', hash)
    .where('secret_keys.revoked', 'is', null)
    .where('instances.disabled', 'is', null),
)

/** Whether a secret key was ever issued, be it revoked or its instance disabled, by its hash. */
export async function isKnownKey(db: Db, hash: string): Promise<boolean> {
  const key = await db
    .selectFrom('secret_keys')
    .select('hash')
    .where('hash', '=', hash)
    .executeTakeFirst()
  return key !== undefined
}

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
  return tx
    .selectFrom('instances')
    .selectAll()
    .where('id', '=', id)
    .$if(hasRowLocks(tx), (instance) => instance.forNoKeyUpdate())
    .executeTakeFirstOrThrow()
}

export async function findUser(db: Db, email: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('email_folded', '=', email.toLowerCase())
    .executeTakeFirst()
}

/** The merchant of that name, made when there is none. Answers its id. */
export async function ensureMerchant(
  tx: Tx,
  merchant: { id: string; name: string; created: string },
): Promise<string> {
  await tx
    .insertInto('merchants')
    .values(merchant)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const found = await tx
    .selectFrom('merchants')
    .select('id')
    .where('name', '=', merchant.name)
    .executeTakeFirstOrThrow()
  return found.id
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

export async function insertUser(tx: Tx, user: User): Promise<void> {
  await tx.insertInto('users').values(user).execute()
}

/** Keeps a secret key as its hash, with just enough of it to be recognised in a list. */
export async function insertSecretKey(
  tx: Tx | Db,
  key: { hash: string; instance_id: string; secret: string; created: string },
): Promise<void> {
  const { secret, ...row } = key
  await tx
    .insertInto('secret_keys')
    .values({
      ...row,
      prefix: keyPrefix(secret),
      last4: secret.length < 24 ? '' : secret.slice(-4),
      revoked: null,
      last_used: null,
    })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
}

/** The part of a key that tells it from others in a list, and is no help to guess the rest. */
function keyPrefix(secret: string): string {
  return secret.slice(0, Math.max(3, secret.length - 35))
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

/** A secret key as a list shows it. */
export type ListedKey = Pick<
  Selectable<SecretKeysTable>,
  'prefix' | 'last4' | 'created' | 'last_used' | 'revoked'
>

export async function listSecretKeys(db: Db, instanceId: string): Promise<ListedKey[]> {
  return db
    .selectFrom('secret_keys')
    .select(['prefix', 'last4', 'created', 'last_used', 'revoked'])
    .where('instance_id', '=', instanceId)
    .orderBy('created')
    .execute()
}

/** Notes when a key was used, unless that was noted after `before`. Both are ISO times. */
export async function touchSecretKey(
  db: Db,
  hash: string,
  at: { now: string; before: string },
): Promise<void> {
  await db
    .updateTable('secret_keys')
    .set({ last_used: at.now })
    .where('hash', '=', hash)
    .where((eb) => eb.or([eb('last_used', 'is', null), eb('last_used', '<=', at.before)]))
    .execute()
}

/** What a secret key opens, and since when it does not; undefined for one that nobody made. */
export async function findSecretKey(
  db: Db,
  hash: string,
): Promise<Pick<Selectable<SecretKeysTable>, 'instance_id' | 'revoked'> | undefined> {
  return db
    .selectFrom('secret_keys')
    .select(['instance_id', 'revoked'])
    .where('hash', '=', hash)
    .executeTakeFirst()
}

/** The hashes of an instance's active keys with a prefix. */
export async function findKeysByPrefix(
  db: Db,
  instanceId: string,
  prefix: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('secret_keys')
    .select('hash')
    .where('instance_id', '=', instanceId)
    .where('revoked', 'is', null)
    .where('prefix', '=', prefix)
    .execute()
  return rows.map(({ hash }) => hash)
}

/**
 * Revokes one key. Returns its prefix and whose it is, and undefined when there is no such key that
 * is active.
 */
export async function revokeSecretKey(
  db: Db,
  { hash, now }: { hash: string; now: string },
): Promise<{ prefix: string; instance: string; merchant: string } | undefined> {
  const result = await db
    .updateTable('secret_keys')
    .set({ revoked: now })
    .where('hash', '=', hash)
    .where('revoked', 'is', null)
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) return undefined
  return db
    .selectFrom('secret_keys')
    .innerJoin('instances', 'instances.id', 'secret_keys.instance_id')
    .innerJoin('merchants', 'merchants.id', 'instances.merchant_id')
    .select(['secret_keys.prefix', 'instances.key as instance', 'merchants.name as merchant'])
    .where('secret_keys.hash', '=', hash)
    .executeTakeFirst()
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
