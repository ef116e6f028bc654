import { formatInstant } from '../../shared/rules/time.ts'
import { createCache, perDatabase } from '../cache.ts'
import type { Deps } from '../deps.ts'
import { touchGrant } from './grant-store.ts'

const RECORD_INTERVAL_MS = 60_000
const REMEMBERED_MAX = 10_000

/** When this process last recorded each grant. */
const recordedOf = perDatabase(() => createCache<number>(REMEMBERED_MAX))

/** Records the last use of a grant, at most once a minute. */
export async function recordGrantUse(
  { db, realNow, log }: Pick<Deps, 'db' | 'realNow' | 'log'>,
  grantId: string,
): Promise<void> {
  const recorded = recordedOf(db)
  const now = realNow()
  if (now - (recorded.get(grantId) ?? -Infinity) < RECORD_INTERVAL_MS) return
  recorded.set(grantId, now)
  const before = formatInstant(now - RECORD_INTERVAL_MS)
  try {
    await touchGrant(db, grantId, { now: formatInstant(now), before })
  } catch (error) {
    // The request itself may still succeed.
    log.warn({ err: error }, 'the use of a grant was not recorded')
  }
}
