import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import { type CounterSubject, incrementCounter } from './counters.ts'

/**
 * Counts one more in the current fixed window. Returns 0 while the count is at most `max`, and
 * otherwise the milliseconds until the next window. `now` is epoch milliseconds.
 */
export async function countInWindow(
  db: Db,
  subject: CounterSubject,
  { max, windowMs, now }: { max: number; windowMs: number; now: number },
): Promise<number> {
  const start = now - (now % windowMs)
  const expires = start + windowMs
  const count = await incrementCounter(db, subject, { window: formatInstant(start), now, expires })
  return count > max ? expires - now : 0
}
