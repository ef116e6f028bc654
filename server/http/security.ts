import type { MiddlewareHandler } from 'hono'
import { plainOrigin } from '../../shared/rules/plain-origin.ts'
import type { Config, TrustedProxies } from '../config.ts'
import { isLocal } from './client-ip.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { presetHeader } from './preset-header.ts'
import type { PageFields } from '../processors/port.ts'
import { ApiError } from '../errors.ts'

/** Security headers and checks of all requests. */

/** Policy of responses that are not pages: nothing may run, load or be framed. */
const API_POLICY = contentSecurityPolicy({
  'default-src': ["'none'"],
  'frame-ancestors': ["'none'"],
})

/** Receives reports of policy violations. */
export const REPORT_PATH = '/csp'

/**
 * Returns the policy of the payment page: its own scripts and one inline style sheet, allowed by
 * its hash; no inline script, no other origin, no HTML from text. Only pages of `ancestors` may
 * frame it. `mapHash` is the hash of the import map, and `processors` what the scripts of processors
 * need. Such a script is added by its URL, which the page's policy of Trusted Types named `default` checks.
 */
export function pagePolicy(
  styleHash: string,
  logo: string | null = null,
  ancestors: readonly string[] = [],
  mapHash?: string,
  processors: readonly PageFields['policy'][] = [],
): string {
  const needed = (directive: keyof PageFields['policy']) =>
    processors.flatMap((policy) => policy[directive] ?? [])
  // The merchant's logo is the only external resource.
  const mark = logo === null ? null : plainOrigin(logo)
  return contentSecurityPolicy({
    'default-src': ["'none'"],
    'script-src': [
      "'self'",
      ...(mapHash === undefined ? [] : [`'${mapHash}'`]),
      ...needed('script-src'),
    ],
    'style-src': [`'${styleHash}'`],
    'connect-src': ["'self'", ...needed('connect-src')],
    ...(processors.length > 0 && { 'frame-src': needed('frame-src') }),
    'img-src': ["'self'", 'data:', ...(mark === null ? [] : [mark])],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ancestors,
    'require-trusted-types-for': ["'script'"],
    'trusted-types': [processors.length > 0 ? 'default' : "'none'"],
    'report-uri': [REPORT_PATH],
  })
}

/** Sets the headers of every response before its handler runs, which can set others. */
export function securityHeaders(options: { https: boolean }): MiddlewareHandler {
  const headers: [string, string][] = [
    ['Content-Security-Policy', API_POLICY],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
    // The path of a link is a secret; other sites may see the origin at most.
    ['Referrer-Policy', 'strict-origin'],
    // A bank's window must be able to communicate with the window that opened it.
    ['Cross-Origin-Opener-Policy', 'same-origin-allow-popups'],
  ]
  if (options.https) {
    headers.push(['Strict-Transport-Security', 'max-age=63072000; includeSubDomains'])
  }
  return function setSecurityHeaders(c, next) {
    for (const [name, value] of headers) presetHeader(c, name, value)
    return next()
  }
}

/**
 * Rejects cross-site requests of browsers to the payer's endpoints. The session token already
 * protects; this also keeps other sites from opening sessions.
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
 * Rejects requests of scripts of another origin, even of the same site. A page cannot forge
 * `Origin`, and other clients do not send it. `baseUrl` is the URL that payers see.
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

/** Refuses scripts of service workers: one could stand between a browser and every page below it. */
export const refuseServiceWorkers: MiddlewareHandler = (c, next) => {
  if (c.req.header('service-worker') !== undefined) {
    throw new ApiError('FORBIDDEN', 'No script of this server is a service worker')
  }
  return next()
}

/**
 * Rejects requests for other host names than this server's, with 421. The server never uses the
 * header `Host` to build addresses; this is for operators who want to reject unknown names. `own` are
 * the URLs of this server; `allowed` is undefined if any name is accepted.
 */
export function requireKnownHost(
  own: readonly string[],
  allowed: readonly string[] | undefined,
): MiddlewareHandler {
  const names = allowed && new Set([...own.map((url) => new URL(url).host), ...allowed])
  return function refuseHosts(c, next) {
    if (!names) return next()
    const host = c.req.header('host') ?? new URL(c.req.url).host
    if (!names.has(host.toLowerCase())) {
      throw new ApiError('MISDIRECTED_REQUEST', 'This server does not serve this host', {
        recordedAs: { event: 'host_refused' },
      })
    }
    return next()
  }
}

/**
 * Rejects API requests to a live instance over plain http from another machine. It responds 403
 * instead of redirecting, because after a redirect clients would keep sending the key in plain text
 * first. The server does not terminate TLS: it relies on the trusted proxy, or on an operator who
 * states with `TRUST_PROXY=none` that no proxy adds headers and that the URL is https.
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
