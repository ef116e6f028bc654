import type { MiddlewareHandler } from 'hono'
import { plainOrigin } from '../../shared/rules/plain-origin.ts'
import type { Config, TrustedProxies } from '../config.ts'
import { isLocal } from './client-ip.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { HEALTH_PATHS } from './probes.ts'
import { ApiError } from '../errors.ts'

/** Headers and checks that every answer and request shares (safety section 2). */

/** Policy of answers that are not pages: nothing in them may run, load or be framed. */
const API_POLICY = contentSecurityPolicy({
  'default-src': ["'none'"],
  'frame-ancestors': ["'none'"],
})

/** Where browsers say what the policy had to stop. */
export const REPORT_PATH = '/csp'

/**
 * Policy of the payer's page: its own script and one inline style sheet, known by its hash. No
 * inline script, no other origin, no HTML made from text. Only pages of `ancestors` may frame it.
 * `mapHash` is that of the import map, which runs nothing and only says what scripts must be.
 */
export function pagePolicy(
  styleHash: string,
  logo: string | null = null,
  ancestors: readonly string[] = [],
  mapHash?: string,
): string {
  // The one thing from elsewhere: the mark that the merchant named.
  const mark = logo === null ? null : plainOrigin(logo)
  return contentSecurityPolicy({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(mapHash === undefined ? [] : [`'${mapHash}'`])],
    'style-src': [`'${styleHash}'`],
    'connect-src': ["'self'"],
    'img-src': ["'self'", 'data:', ...(mark === null ? [] : [mark])],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ancestors,
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
    // What somebody tried to put into the page is worth knowing.
    'report-uri': [REPORT_PATH],
  })
}

/** Sets what every answer carries. A route that needs another policy sets its own first. */
export function securityHeaders(options: { https: boolean }): MiddlewareHandler {
  return async function setSecurityHeaders(c, next) {
    await next()
    const { headers } = c.res
    if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', API_POLICY)
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
    headers.set('X-Content-Type-Options', 'nosniff')
    // The path of a link is a secret; other sites may learn the origin at most.
    if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'strict-origin')
    // A bank's window must be able to come back to the window that opened it.
    if (!headers.has('Cross-Origin-Opener-Policy')) {
      headers.set('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
    }
    if (options.https) {
      headers.set('Strict-Transport-Security', 'max-age=63072000; includeSubDomains')
    }
  }
}

/**
 * Refuses a browser that calls the payer's endpoints from another site. The session token in a
 * header protects already; this keeps a foreign page from even opening sessions (safety row 9).
 */
export const rejectCrossSite: MiddlewareHandler = async (c, next) => {
  const site = c.req.header('sec-fetch-site')
  if (site === 'cross-site') {
    throw new ApiError('FORBIDDEN', 'Cross-origin requests are not allowed', {
      recordedAs: { event: 'cross_site_refused' },
    })
  }
  await next()
}

/**
 * Refuses a script of another origin, be it of the same site: `Origin` cannot be written by a page,
 * and is absent where no page asks (safety row 9). `baseUrl` is the address that payers see.
 */
export function requireSameOrigin(baseUrl: string): MiddlewareHandler {
  const ours = new URL(baseUrl).origin
  return async function refuseForeign(c, next) {
    const origin = c.req.header('origin')
    if (origin !== undefined && origin !== ours) {
      throw new ApiError('FORBIDDEN', 'Cross-origin requests are not allowed', {
        recordedAs: { event: 'cross_site_refused' },
      })
    }
    await next()
  }
}

/**
 * Refuses requests for another name than this server's, with 421 (safety row 22). Nothing is ever
 * made of the header `Host`; this is for whoever wants no answer under a stranger's name at all.
 * `allowed` is undefined where any name will do.
 */
export function requireKnownHost(
  baseUrl: string,
  allowed: readonly string[] | undefined,
): MiddlewareHandler {
  const names = allowed && new Set([new URL(baseUrl).host, ...allowed])
  return async function refuseHosts(c, next) {
    const host = c.req.header('host') ?? new URL(c.req.url).host
    if (names && !names.has(host.toLowerCase()) && !HEALTH_PATHS.has(c.req.path)) {
      throw new ApiError('MISDIRECTED_REQUEST', 'This server does not serve this host', {
        recordedAs: { event: 'host_refused' },
      })
    }
    await next()
  }
}

/**
 * Refuses the merchant's API over plain http from another machine, for a live instance (safety row
 * 24). With 403 and not with a redirect, which would teach a client to send its key in the clear
 * first. This server speaks no TLS itself: it has to believe the proxy that does, or an operator who
 * says that no proxy adds a header (`TRUST_PROXY=none`) and that the address is https.
 */
export function requireHttps({
  baseUrl,
  trustProxy,
}: Pick<Config, 'baseUrl' | 'trustProxy'>): MiddlewareHandler {
  const endsBefore =
    baseUrl.startsWith('https:') && trustProxy !== undefined && isNoProxy(trustProxy)
  return async function refusePlainHttp(c, next) {
    const client = c.get('client')
    const isSafe = client.https ?? (endsBefore || isLocal(client))
    if (c.get('instance')?.mode === 'LIVE' && !isSafe) {
      throw new ApiError(
        'FORBIDDEN',
        'A live instance requires https; behind a proxy, set TRUST_PROXY',
        { recordedAs: { event: 'plain_http_refused' } },
      )
    }
    await next()
  }
}

function isNoProxy(trust: TrustedProxies): boolean {
  return 'hops' in trust && trust.hops === 0
}
