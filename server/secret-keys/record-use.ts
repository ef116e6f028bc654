import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import type { Log } from '../observe/log.ts'
import { touchSecretKey } from './store.ts'

const RECORD_INTERVAL_MS = 60_000

/** When this process last recorded each key, by database and key hash. */
const recorded = new WeakMap<object, Map<string, number>>()

/** Records the last use of a secret key for `checkstand key list`, at most once a minute. */
export async function recordApiKeyUse(
  deps: { db: Db; now: () => number; log: Log },
  hash: string,
): Promise<void> {
  const times = recorded.get(deps.db) ?? new Map<string, number>()
  recorded.set(deps.db, times)
  const now = deps.now()
  if (now - (times.get(hash) ?? -Infinity) < RECORD_INTERVAL_MS) return
  times.set(hash, now)
  const before = formatInstant(now - RECORD_INTERVAL_MS)
  try {
    await touchSecretKey(deps.db, hash, { now: formatInstant(now), before })
  } catch (error) {
    // The request itself may still succeed.
    deps.log.warn({ err: error }, 'the use of a secret key was not recorded')
  }
}
