import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tx } from '../db/tables.ts'
import { addOne, findCounters, keepCounters } from './store.ts'
import type { CounterRow, Subject } from './store.ts'

/**
 * So many within any stretch of time, and then a pause as long as that stretch. Each one is
 * remembered by its own moment, so that two full shares cannot meet at the border of two windows;
 * there are never many, because what is refused is not counted.
 */
export interface Limit {
  /** What is counted, such as `link-declines`. */
  name: string
  max: number
  withinMs: number
}

/** A limit, and whom it is about. */
export interface Watched {
  limit: Limit
  key: string
}

/**
 * Counts one more for a subject. True when that was the one that began the pause. `now` is epoch
 * milliseconds.
 */
export async function countOne(db: Db | Tx, watched: Watched, now: number): Promise<boolean> {
  const { limit } = watched
  const subject = subjectOf(watched)
  const expires = now + limit.withinMs
  await addOne(db, subject, { window: formatInstant(now), now, expires })
  const count = sum(await findCounters(db, [subject], { now }))
  // All of them end together with the pause, so that it is followed by a full share.
  if (count >= limit.max) await keepCounters(db, subject, { now, expires })
  return count === limit.max
}

/** Milliseconds until none of the subjects is in its pause any more; 0 when none is. */
export async function pauseLeft(
  db: Db | Tx,
  watched: readonly Watched[],
  now: number,
): Promise<number> {
  return pauseIn(await findCounters(db, watched.map(subjectOf), { now }), watched, now)
}

/** The same, from counters that were read before. */
export function pauseIn(
  counters: readonly CounterRow[],
  watched: readonly Watched[],
  now: number,
): number {
  const waits = watched.map(({ limit, key }) => {
    const its = counters.filter((counter) => counter.name === limit.name && counter.key === key)
    if (sum(its) < limit.max) return 0
    return Math.max(...its.map(({ expires }) => Date.parse(expires))) - now
  })
  return Math.max(0, ...waits)
}

function subjectOf({ limit, key }: Watched): Subject {
  return { name: limit.name, key }
}

function sum(counters: readonly CounterRow[]): number {
  return counters.reduce((total, { count }) => total + count, 0)
}
