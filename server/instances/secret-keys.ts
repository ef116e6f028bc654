import { compiledQuery } from '../db/compiled-query.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Db, Tx } from '../db/tables.ts'

/** Returns undefined when the key is unknown or revoked, or its instance disabled. */
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

/** Stores the hash of a key, and enough of its text to recognize it in a list. */
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

/** Leaves out the random part. */
function keyPrefix(secret: string): string {
  return secret.slice(0, Math.max(3, secret.length - 35))
}

export async function listSecretKeys(db: Db, instanceId: string) {
  return db
    .selectFrom('secret_keys')
    .select(['prefix', 'last4', 'created', 'last_used', 'revoked'])
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

/** Finds a key that was ever issued. Revoked keys count. */
export async function findSecretKey(db: Db, hash: string) {
  return db
    .selectFrom('secret_keys')
    .select(['instance_id', 'revoked'])
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

/** Revokes a key. Returns undefined when there is no such active key. */
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
