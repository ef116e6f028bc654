import type { Db } from '../db/tables.ts'
import { incrementCounter, findCounters, deleteCounters } from './counters.ts'

/**
 * Lock-out by delay: an attacker who guesses waits longer and longer, and a user who mistyped waits
 * a moment. Nothing has to be unlocked by hand.
 */

/** How many failures are free, and how long the delays may become that follow them. */
export interface Lockout {
  /** What is counted, such as `sign-in-network`. */
  name: string
  /** The last of these failures is the first that costs a delay: two seconds. */
  free: number
  delayMaxMs: number
}

/** A lock-out, and whom it is about. */
export interface Guarded {
  lockOut: Lockout
  key: string
}

/** Counted from the last failure; longer than any delay. */
const FORGOTTEN_AFTER_MS = 60 * 60_000

const ALL_TIME = ''

/**
 * Returns which of the guarded has to wait longest before the next try, and for how many
 * milliseconds; undefined when the next try may be now. `now` is epoch milliseconds.
 */
export async function findWait(
  db: Db,
  guarded: readonly Guarded[],
  now: number,
): Promise<{ limit: string; waitMs: number } | undefined> {
  const subjects = guarded.map(subjectOf)
  const counters = await findCounters(db, subjects, { window: ALL_TIME, now })
  const waits = guarded.flatMap(({ lockOut, key }) =>
    counters
      .filter((counter) => counter.name === lockOut.name && counter.key === key)
      .map(({ count, updated }) => ({
        limit: lockOut.name,
        waitMs: Date.parse(updated) + delayAfter(count, lockOut) - now,
      })),
  )
  return waits.filter(({ waitMs }) => waitMs > 0).toSorted((a, b) => b.waitMs - a.waitMs)[0]
}

/** Milliseconds to wait after so many failures: two seconds after the last free one, then doubling. */
export function delayAfter(failures: number, { free, delayMaxMs }: Lockout): number {
  const beyond = failures - free + 1
  return beyond < 1 ? 0 : Math.min(2 ** beyond * 1000, delayMaxMs)
}

/** Counts one failure for each of the guarded. */
export async function countFailure(
  db: Db,
  guarded: readonly Guarded[],
  now: number,
): Promise<void> {
  for (const each of guarded) {
    const at = { window: ALL_TIME, now, expires: now + FORGOTTEN_AFTER_MS }
    await incrementCounter(db, subjectOf(each), at)
  }
}

/** Returns whether a failure is counted for the guarded. */
export async function hasFailed(db: Db, guarded: Guarded, now: number): Promise<boolean> {
  return (await findCounters(db, [subjectOf(guarded)], { window: ALL_TIME, now })).length > 0
}

/** Forgets the failures that were counted, after a success. */
export async function clearFailures(db: Db, guarded: Guarded): Promise<void> {
  await deleteCounters(db, subjectOf(guarded))
}

function subjectOf({ lockOut, key }: Guarded) {
  return { name: lockOut.name, key }
}
