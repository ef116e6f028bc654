import type { ExpressionBuilder } from 'kysely'
import type { KeyRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tables, Tx } from '../db/tables.ts'
import type { IdempotencyKey } from './idempotency-key.ts'

/** Keys of requests, and what those were answered, as they are stored (contract section 17). */

export async function findKey(db: Db, request: IdempotencyKey): Promise<KeyRow | undefined> {
  return db.selectFrom('idempotency_keys').selectAll().where(identity(request)).executeTakeFirst()
}

/**
 * Stores the key of a first request; false when the key is known and still recognised. Of several
 * at once one stores it, and the others learn so when its transaction has ended. Epoch and other
 * milliseconds: `keptMs` is how long a repeat is recognised, and until `busyUntil` the request may
 * still be running.
 */
export async function reserveKey(
  tx: Tx,
  request: IdempotencyKey,
  as: { now: number; keptMs: number; busyUntil: number; recordId?: string },
): Promise<boolean> {
  const now = formatInstant(as.now)
  const fresh = {
    request_hash: request.hash,
    record_id: as.recordId ?? null,
    status: null,
    body: null,
    busy_until: formatInstant(as.busyUntil),
    expires: formatInstant(as.now + as.keptMs),
    created: now,
  }
  const result = await tx
    .insertInto('idempotency_keys')
    .values({
      instance_id: request.instanceId,
      path: request.path,
      key: request.key,
      ...fresh,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['instance_id', 'path', 'key'])
        .doUpdateSet(fresh)
        .where('idempotency_keys.expires', '<=', now),
    )
    .returning('key')
    .executeTakeFirst()
  return result !== undefined
}

/** Takes the key of the same request that died halfway; false when it may still be running. */
export async function reclaimKey(
  tx: Tx,
  request: IdempotencyKey,
  at: { now: number; busyUntil: number },
): Promise<boolean> {
  const taken = await tx
    .updateTable('idempotency_keys')
    .set({ busy_until: formatInstant(at.busyUntil) })
    .where(identity(request))
    .where('request_hash', '=', request.hash)
    .where('body', 'is', null)
    .where('busy_until', '<=', formatInstant(at.now))
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}

/** Stores the answer, which is what every repeat gets from now on. */
export async function storeResponse(tx: Tx, request: IdempotencyKey, body: string): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status: 200, body })
    .where(identity(request))
    .where('request_hash', '=', request.hash)
    .execute()
}

/** The request was answered, but not with the last word: a repeat reads its record. */
export async function releaseKey(tx: Tx, request: IdempotencyKey, now: number): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ busy_until: formatInstant(now) })
    .where(identity(request))
    .where('request_hash', '=', request.hash)
    .execute()
}

/** Nothing came of the request, so the same key may try again. */
export async function deleteKey(tx: Tx, request: IdempotencyKey): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where(identity(request))
    .where('request_hash', '=', request.hash)
    .where('body', 'is', null)
    .execute()
}

/** A key within its instance and path. */
function identity(request: IdempotencyKey) {
  return (eb: ExpressionBuilder<Tables, 'idempotency_keys'>) =>
    eb.and([
      eb('instance_id', '=', request.instanceId),
      eb('path', '=', request.path),
      eb('key', '=', request.key),
    ])
}

const PRUNE_BATCH = 1000

/**
 * Removes keys that are no longer recognised, some at a time, so that nobody who writes waits long.
 * Answers how many there were.
 */
export async function pruneIdempotencyKeys(at: { db: Db; now: () => number }): Promise<number> {
  const now = formatInstant(at.now())
  for (let removed = 0; ;) {
    const batch = await deleteExpired(at.db, now, PRUNE_BATCH)
    removed += batch
    if (batch < PRUNE_BATCH) return removed
  }
}

async function deleteExpired(db: Db, now: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('idempotency_keys')
    .where('expires', '<=', now)
    .where((eb) =>
      eb(
        eb.refTuple('instance_id', 'path', 'key'),
        'in',
        eb
          .selectFrom('idempotency_keys')
          .select(['instance_id', 'path', 'key'])
          .where('expires', '<=', now)
          .orderBy('expires')
          .limit(limit)
          .$asTuple('instance_id', 'path', 'key'),
      ),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
