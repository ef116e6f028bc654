import type { ClientRow } from '../db/rows.ts'
import type { Deps } from '../deps.ts'
import { networkOf, networksOf } from '../rate-limits/client-network.ts'
import { countInWindow } from '../rate-limits/fixed-window.ts'
import { OAuthError } from './oauth-error.ts'

/**
 * How often tokens may be asked for in a minute: far more often than a platform with many merchants
 * needs, and far less often than a loop that has gone wrong.
 *
 * A client with a secret is counted by itself once it has proved who it is, so that no stranger can
 * use up its share: neither by its id, which is public, nor from an address that it shares. Wrong
 * credentials are counted by address.
 *
 * A public client proves nothing, and its id is known to everybody. It is counted by address and by
 * client and network, so that what one network asks takes nothing from another; and while all of
 * them together ask too much, each still has a small share.
 */

const MINUTE_MS = 60_000
const PER_ADDRESS_MAX = 600
const PER_CLIENT_MAX = 1200
const PER_PUBLIC_NETWORK_MAX = 120
/** What each network may still ask of a public client beyond `PER_CLIENT_MAX` of all. */
const FAIR_SHARE = 20
/** Callers without a network, who may all be behind one proxy. */
const INSIDE = 'inside'

/** Counts a request of an address; throws OAuthFailure when there were too many. */
export async function rateLimitAddress(deps: Deps, address: string | undefined): Promise<void> {
  for (const { network, share } of networksOf(address)) {
    const max = PER_ADDRESS_MAX * share
    const waitMs = await countAbove(deps, 'oauth-address', { key: network, max })
    if (waitMs > 0) throw tooMany('oauth-address', waitMs)
  }
}

/** Counts a request of a client from an address; throws OAuthFailure when there were too many. */
export async function rateLimitClient(
  deps: Deps,
  client: Pick<ClientRow, 'id' | 'secret_hash'>,
  address: string | undefined,
): Promise<void> {
  const isPublic = client.secret_hash === null
  if (isPublic) await rateLimitAddress(deps, address)
  const waitMs = isPublic
    ? await publicClientWait(deps, client.id, networkOf(address))
    : await countAbove(deps, 'oauth-client', { key: client.id, max: PER_CLIENT_MAX })
  if (waitMs > 0) throw tooMany('oauth-client', waitMs)
}

async function publicClientWait(
  deps: Deps,
  clientId: string,
  network: string | undefined,
): Promise<number> {
  const key = `${clientId} ${network ?? INSIDE}`
  const max = network === undefined ? PER_CLIENT_MAX : PER_PUBLIC_NETWORK_MAX
  const own = await countAbove(deps, 'oauth-client-network', { key, max })
  if (own > 0 || network === undefined) return own
  const total = await countAbove(deps, 'oauth-client', { key: clientId, max: PER_CLIENT_MAX })
  if (total === 0) return 0
  return countAbove(deps, 'oauth-client-share', { key, max: FAIR_SHARE })
}

/** Counts one, and returns the milliseconds to wait when there were more than `max`, else 0. */
function countAbove(
  deps: Deps,
  name: string,
  { key, max }: { key: string; max: number },
): Promise<number> {
  return countInWindow(deps.db, { name, key }, { max, windowMs: MINUTE_MS, now: deps.now() })
}

function tooMany(limit: string, waitMs: number): OAuthError {
  return new OAuthError('temporarily_unavailable', 'too many requests; try again later', {
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
    recordedAs: { event: 'token_requests_limited', limit },
  })
}
