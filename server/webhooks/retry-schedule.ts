const S = 1000
const M = 60 * S
const H = 60 * M

/** Milliseconds between one failed attempt and the next (contract section 16). */
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

/** At most this part of the wait on top, so that a thousand failures do not come back as one. */
export const JITTER = 0.1

/**
 * Milliseconds to wait after so many failed attempts, or undefined when it was the last one.
 * `chance` is from 0 to 1.
 */
export function retryDelay(attempts: number, chance = Math.random()): number | undefined {
  const wait = RETRY_AFTER_MS[attempts - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * chance))
}
