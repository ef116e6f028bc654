import type { Deps } from '../deps.ts'
import { listAbsentOwners } from '../db/presence.ts'
import { expediteCallsOf } from './reconcile-queue.ts'

export const SEARCH_INTERVAL_MS = 1000
/** Long enough for a live process to reconnect after a restart of the database. */
const ABSENT_MS = 2500

/**
 * Returns a function that makes the calls of dead processes due now instead of after their deadline,
 * and returns their number. For a database with several processes. A wrong guess settles no payment
 * wrongly: the processor decides, and an unknown call is canceled there first. `elapsedMs` is a
 * monotonic clock in milliseconds.
 */
export function createOrphanSearch(
  elapsedMs: () => number = () => performance.now(),
): (deps: Pick<Deps, 'db' | 'now' | 'owner'>) => Promise<number> {
  const findDead = createAbsenceTracker()
  let own: string | null = null
  return async ({ db, now, owner }) => {
    // This process is alive even while it holds no lock.
    own = owner() ?? own
    const absent = (await listAbsentOwners(db)).filter((each) => each !== own)
    const dead = findDead(absent, elapsedMs())
    return dead.length === 0 ? 0 : expediteCallsOf(db, dead, now())
  }
}

/**
 * Returns a function that takes the absent owners at a time in milliseconds and returns those that are
 * dead: absent in every call for 2.5 seconds. After 2.5 seconds without a call, as when the database
 * was down, counting starts again, because the others could not reconnect either.
 */
export function createAbsenceTracker(): (absent: readonly string[], at: number) => string[] {
  let absentSince: ReadonlyMap<string, number> = new Map()
  let calledAt = -Infinity
  return (absent, at) => {
    const before = at - calledAt < ABSENT_MS ? absentSince : new Map<string, number>()
    calledAt = at
    absentSince = new Map(absent.map((owner) => [owner, before.get(owner) ?? at]))
    return absent.filter((owner) => at - (absentSince.get(owner) ?? at) >= ABSENT_MS)
  }
}
