import type { CounterRow } from '../db/tables/rate-limits.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tx } from '../db/tables.ts'
import { surroundingNetworks } from './client-network.ts'
import { counterSubject, findCounters, incrementCounter, type Limited } from './counters.ts'

/**
 * Sliding-window limit: at most `max` hits within any `windowMs`, then a cooldown of one window.
 * Each millisecond has a counter of its own. Refused requests are not counted, so there are few.
 */
export interface SlidingWindowLimit {
  /** What is counted, such as `link-declines`. */
  name: string
  max: number
  windowMs: number
}

export type WindowSubject = Limited<SlidingWindowLimit>

/**
 * Applies a limit to a network and, for IPv6, to the wider networks around it, whose limits are
 * higher. `keyOf` makes the key of a network.
 */
export function limitNetworks(
  limit: SlidingWindowLimit,
  network: string,
  keyOf: (network: string) => string = (each) => each,
): WindowSubject[] {
  return surroundingNetworks(network).map(({ network: each, factor }) => ({
    limit: { ...limit, max: limit.max * factor },
    key: keyOf(each),
  }))
}

/**
 * Counts one hit. Returns true when the subject is now limited; concurrent callers may all see
 * true. `now` is epoch milliseconds.
 */
export async function countHit(db: Db | Tx, subject: WindowSubject, now: number): Promise<boolean> {
  const counted = counterSubject(subject)
  // The last hit of a cooldown still looks back by one window when the cooldown ends.
  const expires = now + 2 * subject.limit.windowMs
  await incrementCounter(db, counted, { window: formatInstant(now), now, expires })
  return countWithin(await findCounters(db, [counted], { now }), subject, now) >= subject.limit.max
}

/** Returns the milliseconds until the longest cooldown of the subjects ends; 0 without one. */
export async function cooldownLeft(
  db: Db | Tx,
  subjects: readonly WindowSubject[],
  now: number,
): Promise<number> {
  return cooldownIn(await findCounters(db, subjects.map(counterSubject), { now }), subjects, now)
}

/** Like `cooldownLeft`, from counters that were read before. */
export function cooldownIn(
  counters: readonly CounterRow[],
  subjects: readonly WindowSubject[],
  now: number,
): number {
  const waits = subjects.map((subject) => {
    const last = Math.max(...hitsOf(counters, subject).map(({ at }) => at))
    const { max, windowMs } = subject.limit
    return countWithin(counters, subject, last) < max ? 0 : last + windowMs - now
  })
  return Math.max(0, ...waits)
}

/** Returns the number of hits within the window that ends at `until`, epoch milliseconds. */
export function countWithin(
  counters: readonly CounterRow[],
  subject: WindowSubject,
  until: number,
): number {
  return hitsOf(counters, subject)
    .filter(({ at }) => at <= until && at > until - subject.limit.windowMs)
    .reduce((total, { count }) => total + count, 0)
}

function hitsOf(counters: readonly CounterRow[], { limit, key }: WindowSubject) {
  return counters
    .filter((counter) => counter.name === limit.name && counter.key === key)
    .map(({ window_start, count }) => ({ at: Date.parse(window_start), count }))
}
