import type { Deps } from '../deps.ts'
import { listAbsentOwners } from '../db/presence.ts'
import { expediteCallsOf } from './reconcile-queue.ts'

/** Milliseconds between two looks. */
export const LOOK_EVERY_MS = 1000
/** Long enough for a process that lives to come back, as all have to when the database restarts. */
const ABSENT_MS = 2500

/**
 * Finds calls whose process has died, for a database that several processes use, and has them asked
 * about now instead of when they must have ended. Were a process alive all the same, no payment would
 * be settled wrongly: the processor's word decides, and a call that it has not heard of is cancelled
 * there first. `elapsedMs` is a monotonic clock in milliseconds. Returns one look, which returns how
 * many calls were brought forward.
 */
export function createOrphanSearch(
  elapsedMs: () => number = () => performance.now(),
): (deps: Pick<Deps, 'db' | 'now' | 'owner'>) => Promise<number> {
  const findDead = createDeathWatch()
  let own: string | null = null
  return async ({ db, now, owner }) => {
    // This process is alive, even while it holds no lock.
    own = owner() ?? own
    const absent = (await listAbsentOwners(db)).filter((each) => each !== own)
    const dead = findDead(absent, elapsedMs())
    return dead.length === 0 ? 0 : expediteCallsOf(db, dead, now())
  }
}

/**
 * Tells dead processes from those that are absent for a moment. A process counts as dead that was
 * absent at every look for two and a half seconds. After as long without a look, as when the database
 * was down, the count begins anew, since the others may not have been able to come back either.
 * Returns a function that takes the absent owners of one look and its time in milliseconds, and
 * returns the dead among them.
 */
export function createDeathWatch(): (absent: readonly string[], at: number) => string[] {
  let absentSince: ReadonlyMap<string, number> = new Map()
  let lookedAt = -Infinity
  return (absent, at) => {
    const before = at - lookedAt < ABSENT_MS ? absentSince : new Map<string, number>()
    lookedAt = at
    absentSince = new Map(absent.map((owner) => [owner, before.get(owner) ?? at]))
    return absent.filter((owner) => at - (absentSince.get(owner) ?? at) >= ABSENT_MS)
  }
}
