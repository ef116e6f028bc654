import type { MiddlewareHandler } from 'hono'
import type { Config } from '../config.ts'
import { clientNetworks } from '../rate-limits/client-network.ts'
import type { Log } from '../observe/log.ts'
import type { SecurityEvents } from '../observe/security-events.ts'

/**
 * Checks that the addresses of clients are known. The server does not terminate TLS, so behind an
 * https `BASE_URL` every connection comes from a proxy, and limits by address work only if that
 * proxy is trusted.
 */

export const PROXY_UNKNOWN =
  'TRUST_PROXY must be set for a live instance behind an https BASE_URL: without it neither guessing ' +
  'nor card testing can be counted by address'

/** The same with instructions, for the operator at startup. */
export const PROXY_HELP = `${PROXY_UNKNOWN}.

  TRUST_PROXY=1       one proxy stands before it that sets X-Forwarded-For and X-Forwarded-Proto.
                      Caddy and the balancers of clouds set both. nginx needs:
                        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                        proxy_set_header X-Forwarded-Proto $scheme;
  TRUST_PROXY=2       a cloud's balancer, and behind it a proxy of your own
  TRUST_PROXY=10.0.0.0/8,fd00::/8   the networks of the proxies, where their number varies
  TRUST_PROXY=none    no proxy adds a header: clients connect directly, or through something that
                      only ends TLS and shows their addresses`

/** Returns whether a live instance must not be served with these settings; see `PROXY_UNKNOWN`. */
export function isProxyUnknown({
  baseUrl,
  trustProxy,
}: Pick<Config, 'baseUrl' | 'trustProxy'>): boolean {
  return trustProxy === undefined && baseUrl.startsWith('https:')
}

const DOUBTS = {
  'forwarded-header-short':
    'X-Forwarded-For is missing or holds fewer addresses than TRUST_PROXY says: the proxies do not ' +
    'send it, or there are fewer of them and clients can choose the address that is counted',
  'inside-address':
    'a payer seems to come from this machine or a private network, and is not counted by address: ' +
    'TRUST_PROXY is not set, or there are more proxies than it says, or other networks of them',
}

/**
 * Reports requests whose client address is unknown, on a server with an https `BASE_URL`: each as a
 * security event, and the first of each kind with its cause in the log. Only for paths that
 * browsers and servers outside call; probes have no forwarding headers.
 */
export function watchProxies({ config, log, security }: Watching): MiddlewareHandler {
  const isHttps = config.baseUrl.startsWith('https:')
  const logged = new Set<string>()
  return function watchForwardedHeaders(c, next) {
    if (!isHttps) return next()
    const { address, isHeaderShort } = c.get('client')
    const source = isHeaderShort
      ? 'forwarded-header-short'
      : address !== undefined && clientNetworks(address).length === 0
        ? 'inside-address'
        : undefined
    if (source !== undefined) {
      security.record('client_address_unknown', { source, method: c.req.method })
      if (!logged.has(source)) log.error({ source }, DOUBTS[source])
      logged.add(source)
    }
    return next()
  }
}

interface Watching {
  config: Pick<Config, 'baseUrl'>
  log: Pick<Log, 'error'>
  security: SecurityEvents
}
