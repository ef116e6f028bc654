import type { Selectable } from 'kysely'
import { compiledQuery } from '../db/compiled-query.ts'
import type { Instance } from '../db/rows.ts'
import type { Db, SecretKeysTable, Tx } from '../db/tables.ts'

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
