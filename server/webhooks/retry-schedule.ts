import { retryDelay } from '../retry-delay.ts'

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

/**
 * Returns the milliseconds to wait after so many failed attempts, or undefined after the last one.
 * `chance` is from 0 to 1.
 */
export function deliveryRetryDelay(attempts: number, chance?: number): number | undefined {
  return retryDelay(RETRY_AFTER_MS, attempts, chance)
}
