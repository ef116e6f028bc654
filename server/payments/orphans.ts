import type { Deps } from '../deps.ts'
import { listAbsentOwners } from '../db/presence.ts'
import { expediteCallsOf } from './attempts.ts'

/**
 * Finds calls whose process has died, for a database that several processes use, and has them asked
 * about now instead of when they must have ended. A process counts as dead that was absent at two
 * looks in a row: one whose connection broke comes back in between. Were it alive all the same,
 * nothing is lost: the processor's word decides, and what it has not heard of it refuses from then
 * on. Returns one look; it returns how many calls were brought forward.
 */
export function createOrphanSearch(): (deps: Pick<Deps, 'db' | 'now'>) => Promise<number> {
  let absentBefore: ReadonlySet<string> = new Set()
  return async ({ db, now }) => {
    const absent = await listAbsentOwners(db)
    const dead = absent.filter((owner) => absentBefore.has(owner))
    absentBefore = new Set(absent)
    return dead.length === 0 ? 0 : expediteCallsOf(db, dead, now())
  }
}
