/** Adds up to this fraction to a wait, so that many failures are not retried at once. */
const JITTER = 0.1

/**
 * Returns the milliseconds to wait after so many failed attempts, or undefined after the last one.
 * `schedule` has the waits in milliseconds; `chance` is from 0 to 1.
 */
export function retryDelay(
  schedule: readonly number[],
  attempts: number,
  chance = Math.random(),
): number | undefined {
  const wait = schedule[attempts - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * chance))
}
