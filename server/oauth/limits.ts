import type { Deps } from '../deps.ts'
import { networkOf, networksAround } from '../limits/address.ts'
import { countInWindow } from '../limits/rate.ts'
import { OAuthFailure } from './failure.ts'
import type { ClientRow } from './store.ts'

/**
 * How often tokens may be asked for: far more often than a platform with many merchants needs, and
 * far less often than a loop that has gone wrong.
 *
 * A client with a secret is counted by itself once it has proved who it is, so that nobody else can
 * use up its share: neither by its id, which is public, nor from an address that it shares. Everything
 * else is counted by address: wrong credentials, and clients without a secret, which prove nothing.
 */

const MINUTE_MS = 60_000
const PER_ADDRESS_MAX = 600
const PER_CLIENT_MAX = 1200

/** Counts a request of an address; throws OAuthFailure when there were too many within a minute. */
export async function limitAddress(deps: Deps, address: string | undefined): Promise<void> {
  const counted = networkOf(address)
  for (const { network, share } of counted === undefined ? [] : networksAround(counted)) {
    const subject = { name: 'oauth-address', key: network }
    await limit(deps, subject, PER_ADDRESS_MAX * share, { network })
  }
}

/** Counts a request of a client; throws OAuthFailure when there were too many within a minute. */
export function limitClient(
  deps: Deps,
  client: ClientRow,
  address: string | undefined,
): Promise<void> {
  if (client.secret_hash === null) return limitAddress(deps, address)
  const subject = { name: 'oauth-client', key: client.id }
  return limit(deps, subject, PER_CLIENT_MAX, { client: client.id })
}

async function limit(
  deps: Deps,
  subject: { name: string; key: string },
  max: number,
  who: { network: string } | { client: string },
): Promise<void> {
  const at = { max, windowMs: MINUTE_MS, now: deps.now() }
  const waitMs = await countInWindow(deps.db, subject, at)
  if (waitMs === 0) return
  deps.security.record('token_requests_limited', { limit: subject.name, ...who })
  throw new OAuthFailure('temporarily_unavailable', 'too many requests; try again later', {
    'Retry-After': String(Math.ceil(waitMs / 1000)),
  })
}
