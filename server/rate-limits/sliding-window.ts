import type { CounterRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tx } from '../db/tables.ts'
import { networksAround } from './client-network.ts'
import { incrementCounter, findCounters, type Subject } from './counters.ts'

/**
 * So many within any stretch of time, and then a pause as long as that stretch. Each one is
 * remembered by its own moment, so that two full shares cannot meet at the border of two windows;
 * there are never many, because what is refused is not counted.
 */
export interface SlidingWindowLimit {
  /** What is counted, such as `link-declines`. */
  name: string
  max: number
  withinMs: number
}

/** A limit, and whom it is about. */
export interface Watched {
  limit: SlidingWindowLimit
  key: string
}

/**
 * Returns what watches a network of `networkOf` under a limit: itself, and around an IPv6 one the
 * wider networks, whose limits are higher. `keyOf` makes the key under which a network is counted.
 */
export function watchNetworks(
  limit: SlidingWindowLimit,
  network: string,
  keyOf: (network: string) => string = (each) => each,
): Watched[] {
  return networksAround(network).map(({ network: each, share }) => ({
    limit: { ...limit, max: limit.max * share },
    key: keyOf(each),
  }))
}

/**
 * Counts one more for a subject. True when it is in its pause by then: of several that are counted
 * at once each may find so, and none that it was the very one to begin it. `now` is epoch
 * milliseconds.
 */
export async function countOne(db: Db | Tx, watched: Watched, now: number): Promise<boolean> {
  const { limit } = watched
  const subject = subjectOf(watched)
  // The last one still looks back when it is nearly gone itself.
  const expires = now + 2 * limit.withinMs
  await incrementCounter(db, subject, { window: formatInstant(now), now, expires })
  return countIn(await findCounters(db, [subject], { now }), watched, now) >= limit.max
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
  const waits = watched.map((each) => {
    const last = Math.max(...momentsOf(counters, each).map(({ at }) => at))
    return countIn(counters, each, last) < each.limit.max ? 0 : last + each.limit.withinMs - now
  })
  return Math.max(0, ...waits)
}

/** How many there were within the limit's time up to `until`, epoch milliseconds. */
export function countIn(counters: readonly CounterRow[], watched: Watched, until: number): number {
  return momentsOf(counters, watched)
    .filter(({ at }) => at <= until && at > until - watched.limit.withinMs)
    .reduce((total, { count }) => total + count, 0)
}

function momentsOf(counters: readonly CounterRow[], { limit, key }: Watched) {
  return counters
    .filter((counter) => counter.name === limit.name && counter.key === key)
    .map(({ window_start, count }) => ({ at: Date.parse(window_start), count }))
}

function subjectOf({ limit, key }: Watched): Subject {
  return { name: limit.name, key }
}
