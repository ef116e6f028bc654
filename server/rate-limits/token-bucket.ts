/**
 * How often callers ask, in the memory of this process: for floods, where one more or less does not
 * matter and a look into the database would cost more than what it keeps away. Processes tell each
 * other now and then (`share.ts`).
 */
export interface TokenBuckets {
  /**
   * Takes one for a key. Returns 0, or the milliseconds until there is one to take. The bucket of a
   * key holds `share` times as much as the rate says, and fills up as much faster.
   */
  take: (key: string, now: number, share?: number) => number
  /** What was taken since this was last asked for, by key: milliseconds until it is full again. */
  takeSpent: () => Map<string, number>
  /** Learns when a key's bucket is full again, by what all processes took but for what is not told. */
  learn: (key: string, fullAgain: number) => void
}

/** Callers that are remembered; who has not asked for longest is forgotten first. */
const KEYS_MAX = 20_000
export const MINUTE_MS = 60_000
/** What a sum of parts of milliseconds may be off by. */
const ROUNDING_MS = 1e-3

/**
 * Each key has a bucket that holds `perMinute` and fills up evenly within a minute: a burst may
 * empty it at once, and then it goes on at the pace of the rate. 0 a minute is no limit.
 */
export function createTokenBuckets(perMinute: number, keysMax = KEYS_MAX): TokenBuckets {
  /** When each bucket would be full again, epoch milliseconds. */
  const fullAgain = new Map<string, number>()
  let spent = new Map<string, number>()
  return {
    take(key, now, share = 1) {
      if (perMinute === 0) return 0
      const refillMs = MINUTE_MS / (perMinute * share)
      // A clock that went back makes nobody wait longer than an empty bucket does.
      const full = Math.min(Math.max(fullAgain.get(key) ?? now, now), now + MINUTE_MS)
      const waitMs = Math.ceil(full + refillMs - MINUTE_MS - now - ROUNDING_MS)
      // Put in again, so that the order of the map is the order of the last request.
      fullAgain.delete(key)
      fullAgain.set(key, waitMs > 0 ? full : full + refillMs)
      if (waitMs <= 0) spent.set(key, (spent.get(key) ?? 0) + refillMs)
      if (spent.size > keysMax) spent.delete(spent.keys().next().value as string)
      if (fullAgain.size > keysMax) fullAgain.delete(fullAgain.keys().next().value as string)
      return Math.max(0, waitMs)
    },
    takeSpent() {
      const told = spent
      spent = new Map()
      return told
    },
    learn(key, full) {
      fullAgain.set(key, full + (spent.get(key) ?? 0))
    },
  }
}
