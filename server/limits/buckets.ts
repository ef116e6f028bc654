/**
 * How often callers ask, in the memory of this process: for floods, where one more or less does not
 * matter and a look into the database would cost more than what it keeps away.
 */
export interface Buckets {
  /** Takes one for a key. Answers 0, or the milliseconds until there is one to take. */
  take: (key: string, now: number) => number
}

interface Bucket {
  left: number
  /** When `left` was true, epoch milliseconds. */
  at: number
}

/** Callers that are remembered; who has not asked for longest is forgotten first. */
const KEYS_MAX = 20_000
const MINUTE_MS = 60_000

/**
 * Each key has a bucket that holds `perMinute` and fills up evenly within a minute: a burst may
 * empty it at once, and then it goes on at the pace of the rate. 0 a minute is no limit.
 */
export function createBuckets(perMinute: number, keysMax = KEYS_MAX): Buckets {
  const buckets = new Map<string, Bucket>()
  const refillMs = MINUTE_MS / perMinute
  return {
    take(key, now) {
      if (perMinute === 0) return 0
      const known = buckets.get(key)
      const refilled = known ? known.left + Math.max(0, now - known.at) / refillMs : perMinute
      const left = Math.min(perMinute, refilled)
      // Put in again, so that the order of the map is the order of the last request.
      buckets.delete(key)
      buckets.set(key, { left: left < 1 ? left : left - 1, at: now })
      if (buckets.size > keysMax) buckets.delete(buckets.keys().next().value as string)
      return left < 1 ? Math.ceil((1 - left) * refillMs) : 0
    },
  }
}
