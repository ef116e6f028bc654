import { ApiError } from '../errors.ts'

const ATTEMPTS_MAX = 20

/**
 * Repeats a compare-and-set until it succeeds: `attempt` reads, checks and writes, and returns
 * undefined when the row changed in between. Throws 409 CONFLICT after 20 attempts; `resource` is
 * its subject, such as `Payment link`.
 */
export async function retryOnConflict<T>(
  resource: string,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  for (let n = 0; n < ATTEMPTS_MAX; n += 1) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw new ApiError('CONFLICT', `${resource} was changed concurrently; send the request again`)
}
