import type { Db } from '../db/tables.ts'
import { addOne, findCounters, forget } from './store.ts'
import type { Subject } from './store.ts'

/**
 * Lock-out by delay (safety row 19): whoever guesses waits longer and longer, and whoever mistyped
 * waits a moment. Nothing has to be unlocked by hand, so a stranger's guesses cannot keep a user
 * out for longer than the longest delay.
 */

/** Failures that cost no waiting. */
const FREE_FAILURES = 5
const DELAY_MAX_MS = 15 * 60_000
/** Counted from the last failure; longer than any delay. */
const FORGOTTEN_AFTER_MS = 60 * 60_000

const ALL_TIME = ''

/**
 * Milliseconds that must pass before the next try: the longest that any of the subjects has to
 * wait; 0 when it may be now. `now` is epoch milliseconds.
 */
export async function waitBefore(
  db: Db,
  subjects: readonly Subject[],
  now: number,
): Promise<number> {
  const counters = await findCounters(db, subjects, { window: ALL_TIME, now })
  const waits = counters.map(({ count, updated }) => Date.parse(updated) + delayAfter(count) - now)
  return Math.max(0, ...waits)
}

/** Milliseconds to wait after so many failures: two seconds after the fifth, and then doubling. */
export function delayAfter(failures: number): number {
  const beyond = failures - FREE_FAILURES + 1
  return beyond < 1 ? 0 : Math.min(2 ** beyond * 1000, DELAY_MAX_MS)
}

/** Counts one failure for each of the subjects. */
export async function countFailure(
  db: Db,
  subjects: readonly Subject[],
  now: number,
): Promise<void> {
  for (const subject of subjects) {
    await addOne(db, subject, { window: ALL_TIME, now, expires: now + FORGOTTEN_AFTER_MS })
  }
}

/** A success: the subject begins anew. */
export const forgetFailures = forget
