import type { ClientRow } from '../db/tables/oauth.ts'
import type { Deps } from '../deps.ts'
import { clientNetwork, clientNetworks } from '../rate-limits/client-network.ts'
import { countInWindow } from '../rate-limits/fixed-window.ts'
import { OAuthError } from './oauth-error.ts'

// Token requests are limited per minute. An authenticated client has a counter of its own, which
// others cannot exhaust by its public id or from a shared address. Wrong credentials are counted by
// address.
//
// A public client does not authenticate, so it is counted by address and by client and network. When
// all networks together exceed the client's limit, each network keeps a small share.

const MINUTE_MS = 60_000
const PER_ADDRESS_MAX = 600
const PER_CLIENT_MAX = 1200
const PER_PUBLIC_NETWORK_MAX = 120
/** Requests of each network while a public client exceeds `PER_CLIENT_MAX`. */
const FAIR_SHARE = 20
/** Key of callers without a public network, who may share one proxy. */
const INTERNAL = 'inside'

/** Counts a request of an address. Throws OAuthError `temporarily_unavailable` above the limit. */
export async function rateLimitAddress(deps: Deps, address: string | undefined): Promise<void> {
  for (const { network, factor } of clientNetworks(address)) {
    const max = PER_ADDRESS_MAX * factor
    const waitMs = await countRequest(deps, 'oauth-address', { key: network, max })
    if (waitMs > 0) throw tooManyRequests('oauth-address', waitMs)
  }
}

/** Counts a request of a client. Throws OAuthError `temporarily_unavailable` above the limit. */
export async function rateLimitClient(
  deps: Deps,
  client: Pick<ClientRow, 'id' | 'secret_hash'>,
  address: string | undefined,
): Promise<void> {
  const isPublic = client.secret_hash === null
  if (isPublic) await rateLimitAddress(deps, address)
  const waitMs = isPublic
    ? await publicClientWait(deps, client.id, clientNetwork(address))
    : await countRequest(deps, 'oauth-client', { key: client.id, max: PER_CLIENT_MAX })
  if (waitMs > 0) throw tooManyRequests('oauth-client', waitMs)
}

async function publicClientWait(
  deps: Deps,
  clientId: string,
  network: string | undefined,
): Promise<number> {
  const key = `${clientId} ${network ?? INTERNAL}`
  const max = network === undefined ? PER_CLIENT_MAX : PER_PUBLIC_NETWORK_MAX
  const own = await countRequest(deps, 'oauth-client-network', { key, max })
  if (own > 0 || network === undefined) return own
  const total = await countRequest(deps, 'oauth-client', { key: clientId, max: PER_CLIENT_MAX })
  if (total === 0) return 0
  return countRequest(deps, 'oauth-client-share', { key, max: FAIR_SHARE })
}

/** Counts a request. Returns the milliseconds to wait above `max`, else 0. */
function countRequest(
  deps: Deps,
  name: string,
  { key, max }: { key: string; max: number },
): Promise<number> {
  return countInWindow(deps.db, { name, key }, { max, windowMs: MINUTE_MS, now: deps.now() })
}

function tooManyRequests(limit: string, waitMs: number): OAuthError {
  return new OAuthError('temporarily_unavailable', 'too many requests; try again later', {
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
    recordedAs: { event: 'token_requests_limited', limit },
  })
}
