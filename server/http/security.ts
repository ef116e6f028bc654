import type { MiddlewareHandler } from 'hono'
import { Refusal } from './refusal.ts'
import type { AppEnv } from './router.ts'

/** Headers and checks that every answer and request shares (safety section 2). */

/** Policy of answers that are not pages: nothing in them may run, load or be framed. */
const API_POLICY = "default-src 'none'; frame-ancestors 'none'"

/**
 * Policy of the payer's page: its own script and one inline style sheet, known by its hash. No
 * inline script, no other origin, no HTML made from text.
 */
export function pagePolicy(styleHash: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src '${styleHash}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** Sets what every answer carries. A route that needs another policy sets its own first. */
export function securityHeaders(options: { https: boolean }): MiddlewareHandler<AppEnv> {
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
export const refuseCrossSite: MiddlewareHandler<AppEnv> = async (c, next) => {
  const site = c.req.header('sec-fetch-site')
  if (site === 'cross-site') {
    throw new Refusal('FORBIDDEN', 'This address answers its own pages only')
  }
  await next()
}
