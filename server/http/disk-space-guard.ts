import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import type { AppEnv } from './router.ts'

const RETRY_SECONDS = 30

/**
 * Refuses what would write for a caller while the disk is nearly full, before anything is stored
 * and before any processor is asked (safety section 3.2, rule 9). Reading goes on, and so does
 * everything that settles what has begun.
 */
export function requireDiskSpace(deps: Pick<Deps, 'hasDiskSpace'>): MiddlewareHandler<AppEnv> {
  return async function refuseWritesWithoutRoom(c, next) {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && !deps.hasDiskSpace()) {
      throw new ApiError(
        'UNAVAILABLE',
        'The server has no room for anything new; try again later',
        {
          headers: { 'Retry-After': String(RETRY_SECONDS) },
          recordedAs: { event: 'disk_full' },
        },
      )
    }
    await next()
  }
}
