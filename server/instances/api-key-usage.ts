import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import type { Log } from '../observe/log.ts'
import { touchSecretKey } from './secret-keys.ts'

const NOTED_EVERY_MS = 60_000

/** When this process last noted each key, by its hash. */
const noted = new WeakMap<object, Map<string, number>>()

/**
 * Notes that a secret key was used, for `checkstand key list`. A key that is used all the time is
 * written once a minute, so that reading costs no write.
 */
export async function recordApiKeyUse(
  deps: { db: Db; now: () => number; log: Log },
  hash: string,
): Promise<void> {
  const times = noted.get(deps.db) ?? new Map<string, number>()
  noted.set(deps.db, times)
  const now = deps.now()
  if (now - (times.get(hash) ?? -Infinity) < NOTED_EVERY_MS) return
  times.set(hash, now)
  const before = formatInstant(now - NOTED_EVERY_MS)
  try {
    await touchSecretKey(deps.db, hash, { now: formatInstant(now), before })
  } catch (error) {
    // The caller asked for something else, which may well succeed.
    deps.log.warn({ err: error }, 'the use of a secret key was not noted')
  }
}
