const S = 1000
const M = 60 * S
const H = 60 * M

/** Milliseconds between a failed attempt and the next one. */
export const RETRY_AFTER_MS: readonly number[] = [
  5 * S,
  1 * M,
  5 * M,
  30 * M,
  2 * H,
  5 * H,
  10 * H,
  24 * H,
  48 * H,
  72 * H,
]

/** Adds up to this fraction to a wait, so that many failures are not retried at once. */
export const JITTER = 0.1

/**
 * Returns the milliseconds to wait after so many failed attempts, or undefined after the last one.
 * `chance` is from 0 to 1.
 */
export function deliveryRetryDelay(attempts: number, chance = Math.random()): number | undefined {
  const wait = RETRY_AFTER_MS[attempts - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * chance))
}
