import { retryDelay } from '../retry-delay.ts'

const M = 60_000
const H = 60 * M

/** Milliseconds between a failed try and the next one; a greylisting server accepts the second. */
export const MAIL_RETRY_AFTER_MS: readonly number[] = [
  1 * M,
  5 * M,
  15 * M,
  1 * H,
  2 * H,
  4 * H,
  8 * H,
  8 * H,
]

/** A mail that was not accepted for a day is given up. */
export const MAIL_GIVEN_UP_MS = 24 * H

/**
 * Returns the milliseconds to wait after so many failed tries of a mail that is `ageMs` old, or
 * undefined when it is given up. `chance` is from 0 to 1.
 */
export function mailRetryDelay(
  { attempts, ageMs }: { attempts: number; ageMs: number },
  chance?: number,
): number | undefined {
  const wait = retryDelay(MAIL_RETRY_AFTER_MS, attempts, chance)
  return wait === undefined || ageMs + wait > MAIL_GIVEN_UP_MS ? undefined : wait
}
