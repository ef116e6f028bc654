import type { MiddlewareHandler } from 'hono'
import { ApiError } from '../errors.ts'
import type { HasDiskSpace } from '../observe/disk-space.ts'

const RETRY_SECONDS = 30

/**
 * Refuses requests that write while the disk is nearly full, before anything is stored or any
 * processor is called. Reads and the settlement of operations under way continue.
 */
export function requireDiskSpace(hasDiskSpace: HasDiskSpace): MiddlewareHandler {
  return async function refuseWritesOnFullDisk(c, next) {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && !hasDiskSpace()) {
      throw new ApiError('UNAVAILABLE', 'The server is out of disk space; try again later', {
        headers: { 'Retry-After': String(RETRY_SECONDS) },
        recordedAs: { event: 'disk_full' },
      })
    }
    await next()
  }
}
