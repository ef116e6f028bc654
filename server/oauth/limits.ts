import type { Deps } from '../deps.ts'
import { networkOf } from '../limits/address.ts'
import { countInWindow } from '../limits/rate.ts'
import { OAuthFailure } from './failure.ts'

/**
 * How often tokens may be asked for (safety section 1, rule 9): far more often than a platform
 * with many merchants needs, and far less often than a loop that has gone wrong.
 *
 * A client is counted once it has proved who it is, so that nobody can use up its share for it.
 */

const MINUTE_MS = 60_000
const PER_ADDRESS_MAX = 600
const PER_CLIENT_MAX = 1200

/** Counts a request of an address; throws when there were too many within a minute. */
export async function limitAddress(deps: Deps, address: string | undefined): Promise<void> {
  const network = networkOf(address)
  if (network !== undefined) await limit(deps, 'oauth-address', network, PER_ADDRESS_MAX)
}

/** Counts a request of a client; throws when there were too many within a minute. */
export function limitClient(deps: Deps, clientId: string): Promise<void> {
  return limit(deps, 'oauth-client', clientId, PER_CLIENT_MAX)
}

async function limit(deps: Deps, name: string, key: string, max: number): Promise<void> {
  const at = { max, windowMs: MINUTE_MS, now: deps.now() }
  const waitMs = await countInWindow(deps.db, { name, key }, at)
  if (waitMs === 0) return
  throw new OAuthFailure('temporarily_unavailable', 'too many requests; try again later', {
    'Retry-After': String(Math.ceil(waitMs / 1000)),
  })
}
