import { ApiError, invalid } from '../errors.ts'
import type { AppContext } from './router.ts'

/** The version in `If-Match: "3"`; undefined without the header or for `*` (contract section 17). */
export function readIfMatch(c: AppContext): number | undefined {
  const header = c.req.header('if-match')
  if (header === undefined || header === '*') return undefined
  const version = /^"?([0-9]{1,9})"?$/.exec(header)?.[1]
  if (version === undefined) throw invalid('If-Match', 'must be the version, such as "3"')
  return Number(version)
}

/**
 * Throws a CONFLICT ApiError when a record is not at the version that its caller has seen. Called on
 * the row that the change is made from, so that nobody can write in between.
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
