import type { Db } from '../db/tables.ts'
import {
  counterSubject,
  deleteCounters,
  findCounters,
  incrementCounter,
  type Limited,
} from './counters.ts'

/** Lockout by exponential delay after failed sign-ins. It ends by itself. */
export interface Lockout {
  /** What is counted, such as `sign-in-network`. */
  name: string
  /** The last of these failures is the first that costs a delay: two seconds. */
  freeFailures: number
  delayMaxMs: number
}

export type LockoutSubject = Limited<Lockout>

/** Counted from the last failure; longer than any delay. */
const EXPIRES_AFTER_MS = 60 * 60_000

const NO_WINDOW = ''

/**
 * Returns the longest delay of the subjects and the name of its limit, or undefined when the next
 * try may be made now. `now` is epoch milliseconds.
 */
export async function findDelay(
  db: Db,
  subjects: readonly LockoutSubject[],
  now: number,
): Promise<{ limit: string; waitMs: number } | undefined> {
  const counters = await findCounters(db, subjects.map(counterSubject), { window: NO_WINDOW, now })
  const waits = subjects.flatMap(({ limit, key }) =>
    counters
      .filter((counter) => counter.name === limit.name && counter.key === key)
      .map(({ count, updated }) => ({
        limit: limit.name,
        waitMs: Date.parse(updated) + delayAfter(count, limit) - now,
      })),
  )
  return waits.filter(({ waitMs }) => waitMs > 0).toSorted((a, b) => b.waitMs - a.waitMs)[0]
}

/** Returns milliseconds: two seconds after the last free failure, then twice as long each time. */
export function delayAfter(failures: number, { freeFailures, delayMaxMs }: Lockout): number {
  const beyond = failures - freeFailures + 1
  return beyond < 1 ? 0 : Math.min(2 ** beyond * 1000, delayMaxMs)
}

export async function countFailure(
  db: Db,
  subjects: readonly LockoutSubject[],
  now: number,
): Promise<void> {
  for (const subject of subjects) {
    const at = { window: NO_WINDOW, now, expires: now + EXPIRES_AFTER_MS }
    await incrementCounter(db, counterSubject(subject), at)
  }
}

export async function hasFailed(db: Db, subject: LockoutSubject, now: number): Promise<boolean> {
  const counters = await findCounters(db, [counterSubject(subject)], { window: NO_WINDOW, now })
  return counters.length > 0
}

export async function clearFailures(db: Db, subject: LockoutSubject): Promise<void> {
  await deleteCounters(db, counterSubject(subject))
}
