import { ApiError } from '../errors.ts'

const ATTEMPTS_MAX = 20

/**
 * Runs `change` until it returns a value. `change` reads a row, decides and writes it on the version
 * that it read; it returns undefined when another request wrote the row in between. Throws a 409
 * ApiError when that happens twenty times in a row.
 */
export async function retryOnConflict<T>(
  resource: string,
  change: () => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const result = await change()
    if (result !== undefined) return result
  }
  throw new ApiError(
    'CONFLICT',
    `${resource} is being changed by other requests; send the request again`,
  )
}
