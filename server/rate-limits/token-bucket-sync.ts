import { sql } from 'kysely'
import { isSqlite } from '../db/dialect.ts'
import type { Db } from '../db/tables.ts'
import { type TokenBuckets, MINUTE_MS } from './token-bucket.ts'

export interface RequestRateLimits {
  /** By client network. */
  payers: TokenBuckets
  /** By secret key, user, or OAuth grant. */
  callers: TokenBuckets
}

const BATCH = 500

/**
 * Shares what this process let through with the other processes, and reads what they let through.
 * Between two syncs a caller gets at most one bucket from each process; over a minute, one bucket
 * from all of them. A SQLite database has one server and nothing to share.
 */
export async function syncTokenBuckets(deps: {
  db: Db
  now: () => number
  rateLimits: RequestRateLimits
}): Promise<void> {
  for (const [name, buckets] of Object.entries(deps.rateLimits) as [string, TokenBuckets][]) {
    const spent = [...buckets.drainSpent()].map(([key, ms]) => ({ key, ms: Math.ceil(ms) }))
    if (isSqlite(deps.db)) continue
    for (let start = 0; start < spent.length; start += BATCH) {
      await syncBatch(deps, { name, buckets, spent: spent.slice(start, start + BATCH) })
    }
  }
}

async function syncBatch(
  { db, now }: { db: Db; now: () => number },
  {
    name,
    buckets,
    spent,
  }: { name: string; buckets: TokenBuckets; spent: { key: string; ms: number }[] },
): Promise<void> {
  const at = now()
  const rows = spent.map(({ key, ms }) => ({ name, key, full_again: at + ms }))
  const shared = await db
    .insertInto('buckets')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['name', 'key']).doUpdateSet({
        // An empty bucket is full after a minute, however much was taken.
        full_again: sql<number>`least(
          greatest(buckets.full_again, ${at}) + excluded.full_again - ${at},
          ${at + MINUTE_MS}
        )`,
      }),
    )
    .returning(['key', 'full_again'])
    .execute()
  for (const { key, full_again } of shared) buckets.setFullAt(key, full_again)
}

/** Deletes full buckets. */
export async function pruneBuckets(deps: { db: Db; now: () => number }): Promise<void> {
  await deps.db.deleteFrom('buckets').where('full_again', '<=', deps.now()).execute()
}
