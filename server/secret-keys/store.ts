import { type Selectable, type Updateable } from 'kysely'
import { SECRET_KEY_ID } from '../../shared/rules/ids.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import { lookup } from '../db/lookup.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Instance, SecretKeysTable } from '../db/tables/instances.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { newId } from '../ids.ts'

export type SecretKeyRow = Selectable<SecretKeysTable>

/** Who a secret key opens, and how far. */
export interface KeyAccess {
  instance: Instance
  /** Space-separated; null for everything. */
  scopes: string | null
  allowed_addresses: string | null
}

/**
 * Returns undefined when the key is unknown, revoked or expired at `now`, an ISO time, or its instance
 * disabled.
 */
export async function findByKeyHash(
  db: Db,
  hash: string,
  now: string,
): Promise<KeyAccess | undefined> {
  const [row] = (await selectByKeyHash(db, { hash, now })).rows
  if (!row) return undefined
  const { key_scopes: scopes, key_addresses: allowed_addresses, ...instance } = row
  return { instance, scopes, allowed_addresses }
}

const selectByKeyHash = compiledQuery((db: Db, { hash, now }: { hash: string; now: string }) =>
  db
    .selectFrom('secret_keys')
    .innerJoin('instances', 'instances.id', 'secret_keys.instance_id')
    .selectAll('instances')
    .select(['secret_keys.scopes as key_scopes', 'secret_keys.allowed_addresses as key_addresses'])
    .where('secret_keys.hash', '=', hash)
    .where('secret_keys.revoked', 'is', null)
    .where((eb) =>
      eb.or([eb('secret_keys.expires', 'is', null), eb('secret_keys.expires', '>', now)]),
    )
    .where('instances.disabled', 'is', null),
)

/** What a new key has besides its secret; null or absent is none. */
export type NewSecretKey = Pick<SecretKeyRow, 'hash' | 'instance_id' | 'created'> &
  Partial<
    Pick<SecretKeyRow, 'name' | 'scopes' | 'expires' | 'created_session' | 'allowed_addresses'>
  >

/**
 * Stores the hash of a key, and enough of its text to recognize it in a list. Returns the row; a key
 * that is stored already stays as it is.
 */
export async function insertSecretKey(
  tx: Tx | Db,
  { secret, ...key }: NewSecretKey & { secret: string },
): Promise<SecretKeyRow> {
  const row: SecretKeyRow = {
    id: newId('key', Date.parse(key.created)),
    name: null,
    scopes: null,
    expires: null,
    created_session: null,
    allowed_addresses: null,
    ...key,
    prefix: keyPrefix(secret),
    last4: secret.length < 24 ? '' : secret.slice(-4),
    revoked: null,
    last_used: null,
  }
  await tx
    .insertInto('secret_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
  return row
}

/** Leaves out the random part. */
function keyPrefix(secret: string): string {
  return secret.slice(0, Math.max(3, secret.length - 35))
}

/** Returns what the command line shows of an instance's keys, oldest first. */
export async function listSecretKeys(db: Db, instanceId: string) {
  return db
    .selectFrom('secret_keys')
    .select(['prefix', 'last4', 'name', 'scopes', 'created', 'last_used', 'expires', 'revoked'])
    .where('instance_id', '=', instanceId)
    .orderBy('created')
    .execute()
}

/** Sets the last use of a key unless it is later than `before`. Both are ISO times. */
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

/** Finds a key that was ever issued. Revoked and expired keys count. */
export async function findSecretKey(db: Db, hash: string) {
  return db
    .selectFrom('secret_keys')
    .select(['id', 'name', 'instance_id', 'revoked'])
    .where('hash', '=', hash)
    .executeTakeFirst()
}

/** Returns the hashes of an instance's active keys with a prefix. */
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

/** A key that was revoked, with the names of its instance and merchant. */
interface RevokedKey {
  id: string
  prefix: string
  instance_id: string
  instance: string
  merchant: string
}

/** Revokes a key. Returns undefined when there is no such active key. */
export async function revokeSecretKey(
  db: Db | Tx,
  { hash, now }: { hash: string; now: string },
): Promise<RevokedKey | undefined> {
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
    .select(['secret_keys.id', 'secret_keys.prefix'])
    .select(['instances.id as instance_id', 'instances.key as instance'])
    .select('merchants.name as merchant')
    .where('secret_keys.hash', '=', hash)
    .executeTakeFirst()
}

/** Throws a 404 ApiError when the instance does not have the key. */
export const getSecretKey = lookup(
  'Secret key',
  SECRET_KEY_ID,
  (db, instanceId, id): Promise<SecretKeyRow | undefined> =>
    db
      .selectFrom('secret_keys')
      .selectAll()
      .where('id', '=', id)
      .where('instance_id', '=', instanceId)
      .executeTakeFirst(),
)

/** Returns a page of an instance's keys, with those that are revoked or expired. */
export function readSecretKeys(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<SecretKeyRow>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('secret_keys')
      .selectAll()
      .where('instance_id', '=', instanceId)
      .where(list.where),
  )
}

/**
 * Returns the number of keys of an instance that open it at `now`, an ISO time. Locks the instance, so
 * that two concurrent creations cannot both pass the limit.
 */
export async function lockAndCountKeys(tx: Tx, instanceId: string, now: string): Promise<number> {
  await lockRow(tx, 'instances', instanceId)
  const { total } = await tx
    .selectFrom('secret_keys')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('instance_id', '=', instanceId)
    .where('revoked', 'is', null)
    .where((eb) => eb.or([eb('expires', 'is', null), eb('expires', '>', now)]))
    .executeTakeFirstOrThrow()
  return total
}

/** Changes a key that is not revoked. Returns undefined when it is. */
export async function updateSecretKey(
  db: Db | Tx,
  { instance_id, id }: Pick<SecretKeyRow, 'instance_id' | 'id'>,
  change: Pick<Updateable<SecretKeysTable>, 'name' | 'expires' | 'revoked' | 'allowed_addresses'>,
): Promise<SecretKeyRow | undefined> {
  return db
    .updateTable('secret_keys')
    .set(change)
    .where('id', '=', id)
    .where('instance_id', '=', instance_id)
    .where('revoked', 'is', null)
    .returningAll()
    .executeTakeFirst()
}
