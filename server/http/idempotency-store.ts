import type { ExpressionBuilder } from 'kysely'
import type { KeyRow } from '../db/tables/idempotency-keys.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tables, Tx } from '../db/tables.ts'
import type { IdempotencyKey } from './idempotency-key.ts'

/** Stored idempotency keys with their responses. */

export async function findKey(db: Db, request: IdempotencyKey): Promise<KeyRow | undefined> {
  return db.selectFrom('idempotency_keys').selectAll().where(identity(request)).executeTakeFirst()
}

/**
 * Stores the key of a first request; false if the key exists and has not expired. Concurrent
 * requests wait for the transaction that stores it. All times are milliseconds: `keptMs` is the
 * lifetime of the key, and until `busyUntil` the request may still be running.
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

/** Takes over the key of a request that was interrupted; false if it may still be running. */
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

/** Stores the response for repeated requests. */
export function storeResponse(tx: Tx, request: IdempotencyKey, body: string): Promise<void> {
  return updateKey(tx, request, { status: 200, body })
}

/** Marks a request as finished without a final outcome: a repeated request reads its record. */
export function releaseKey(tx: Tx, request: IdempotencyKey, now: number): Promise<void> {
  return updateKey(tx, request, { busy_until: formatInstant(now) })
}

async function updateKey(tx: Tx, request: IdempotencyKey, change: Partial<KeyRow>): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set(change)
    .where(identity(request))
    .where('request_hash', '=', request.hash)
    .execute()
}

/** Deletes the key of a failed request, so that it can be reused. */
export async function deleteKey(tx: Tx, request: IdempotencyKey): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where(identity(request))
    .where('request_hash', '=', request.hash)
    .where('body', 'is', null)
    .execute()
}

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
 * Deletes expired keys in batches, so that other writers do not wait long. Returns their number.
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
