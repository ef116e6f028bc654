import { createCache } from '../cache.ts'

/**
 * Token buckets in the memory of this process. For floods, where a database query would cost more
 * than it saves. `token-bucket-sync.ts` shares them between processes.
 */
export interface TokenBuckets {
  /**
   * Takes a token of a key. Returns 0, or the milliseconds until the next token. The key's bucket
   * holds `factor` times the rate and refills that much faster.
   */
  take: (key: string, now: number, factor?: number) => number
  /** Returns what was taken since the last call, by key, as milliseconds of refill. */
  drainSpent: () => Map<string, number>
  /** Sets when a key's bucket is full, by what all processes took. Undrained tokens are added. */
  setFullAt: (key: string, fullAt: number) => void
}

/** The least recently used key is forgotten first. */
const KEYS_MAX = 20_000
export const MINUTE_MS = 60_000
/** Rounding error of a sum of fractions of milliseconds. */
const ROUNDING_MS = 1e-3

/**
 * Creates buckets of `perMinute` tokens that refill evenly within a minute. A burst may empty a
 * bucket at once. 0 a minute is no limit.
 */
export function createTokenBuckets(perMinute: number, keysMax = KEYS_MAX): TokenBuckets {
  /** Epoch milliseconds by key. */
  const fullAt = createCache<number>(keysMax)
  let spent = new Map<string, number>()
  return {
    take(key, now, factor = 1) {
      if (perMinute === 0) return 0
      const refillMs = MINUTE_MS / (perMinute * factor)
      // After the clock went back, the wait is still no longer than an empty bucket's.
      const full = Math.min(Math.max(fullAt.get(key) ?? now, now), now + MINUTE_MS)
      const waitMs = Math.ceil(full + refillMs - MINUTE_MS - now - ROUNDING_MS)
      fullAt.set(key, waitMs > 0 ? full : full + refillMs)
      if (waitMs <= 0) spent.set(key, (spent.get(key) ?? 0) + refillMs)
      if (spent.size > keysMax) spent.delete(spent.keys().next().value as string)
      return Math.max(0, waitMs)
    },
    drainSpent() {
      const drained = spent
      spent = new Map()
      return drained
    },
    setFullAt(key, full) {
      fullAt.set(key, full + (spent.get(key) ?? 0))
    },
  }
}
