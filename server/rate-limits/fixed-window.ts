import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import { incrementCounter, type Subject } from './counters.ts'

/**
 * Counts one more in a fixed window. Answers the milliseconds until the next window when that was
 * more than `max`, and 0 otherwise. `now` is epoch milliseconds.
 */
export async function countInWindow(
  db: Db,
  subject: Subject,
  { max, windowMs, now }: { max: number; windowMs: number; now: number },
): Promise<number> {
  const start = now - (now % windowMs)
  const expires = start + windowMs
  const count = await incrementCounter(db, subject, { window: formatInstant(start), now, expires })
  return count > max ? expires - now : 0
}
