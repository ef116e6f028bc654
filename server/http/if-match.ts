import { ApiError, invalid } from '../errors.ts'
import type { AppContext } from './router.ts'

/** Returns the version in `If-Match: "3"`; undefined without the header or for `*`. */
export function readIfMatch(c: AppContext): number | undefined {
  const header = c.req.header('if-match')
  if (header === undefined || header === '*') return undefined
  const version = /^"?([0-9]{1,9})"?$/.exec(header)?.[1]
  if (version === undefined) throw invalid('If-Match', 'must be the version, such as "3"')
  return Number(version)
}

/**
 * Throws a 409 ApiError if a record has another version than the caller expects. Must be called on
 * the row that the change is based on, so that no other write can come in between.
 */
export function expectVersion(
  record: string,
  { v }: { v: number },
  ifMatch: number | undefined,
): void {
  if (ifMatch !== undefined && ifMatch !== v) {
    throw new ApiError('CONFLICT', `${record} is at version ${v}`)
  }
}
