import { sql } from 'kysely'
import { isSqlite } from '../db/dialect.ts'
import type { Db } from '../db/tables.ts'
import { type TokenBuckets, MINUTE_MS } from './token-bucket.ts'

/** What callers may ask in a minute, in the memory of each process and shared between them. */
export interface RequestRateLimits {
  /** By the address that a payer comes from. */
  payers: TokenBuckets
  /** By secret key, user, or grant of a platform. */
  callers: TokenBuckets
}

const BATCH = 500

/**
 * Tells other processes what this one let through since the last time, and learns what they did, of
 * the same callers. So a caller who goes round gets one minute's share from all of them together,
 * and at most one share more from each within the second that lies between two rounds. A SQLite
 * database has one server, which knows everything itself.
 */
export async function syncTokenBuckets(deps: {
  db: Db
  now: () => number
  rateLimits: RequestRateLimits
}): Promise<void> {
  const alone = isSqlite(deps.db)
  for (const [name, buckets] of Object.entries(deps.rateLimits) as [string, TokenBuckets][]) {
    const spent = [...buckets.takeSpent()].map(([key, ms]) => ({ key, ms: Math.ceil(ms) }))
    if (alone) continue
    for (let start = 0; start < spent.length; start += BATCH) {
      await shareBatch(deps, { name, buckets, spent: spent.slice(start, start + BATCH) })
    }
  }
}

async function shareBatch(
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
        // Nobody waits longer than an empty bucket takes to fill.
        full_again: sql<number>`least(
          greatest(buckets.full_again, ${at}) + excluded.full_again - ${at},
          ${at + MINUTE_MS}
        )`,
      }),
    )
    .returning(['key', 'full_again'])
    .execute()
  for (const { key, full_again } of shared) buckets.learn(key, full_again)
}

/** Forgets buckets that are full. */
export async function pruneBuckets(deps: { db: Db; now: () => number }): Promise<void> {
  await deps.db.deleteFrom('buckets').where('full_again', '<=', deps.now()).execute()
}
