import { LockTimeout } from '../db/named-locks.ts'
import type { Db } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'

/** How long a request waits for other writes to the same branding. */
const WRITE_WAIT_MS = 10_000

/**
 * Runs `work` while no other request writes strings of these brandings. `work` must use the database
 * that it receives. Throws an ApiError of `type` when another write runs for too long.
 */
export async function withStringLocks<R>(
  deps: Pick<Deps, 'locks'>,
  instanceId: string,
  brandings: readonly string[],
  type: 'INVALID_REQUEST' | 'CONFLICT',
  work: (db: Db) => Promise<R>,
): Promise<R> {
  const keys = brandings.map((branding) => `strings/${instanceId}/${branding}`)
  try {
    return await deps.locks.withLock(keys, { waitMs: WRITE_WAIT_MS }, work)
  } catch (error) {
    if (!(error instanceof LockTimeout)) throw error
    throw new ApiError(type, 'Another write to this branding is still running', {
      code: 'SVC-7059',
      headers: { 'Retry-After': '1' },
      recordedAs: { event: 'strings_queue_refused' },
    })
  }
}
