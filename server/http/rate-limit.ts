import type { MiddlewareHandler } from 'hono'
import type { Clock } from '../clock.ts'
import { tooManyRequests } from '../errors.ts'
import { networksOf } from '../rate-limits/client-network.ts'
import { createTokenBuckets, type TokenBuckets } from '../rate-limits/token-bucket.ts'
import { clientIp } from './client-ip.ts'

/** Rate limits of requests. The buckets are kept in memory and shared between processes. */

const TOO_MANY = 'Too many requests; try again later'

/** A page loads several files, and merchants' pages load the embed script for visitors who never pay. */
const FILES_PER_PAGE = 10

/**
 * Limits the payer-facing requests of one client network: pages, sessions and submits together. The
 * setting is generous, because the people of a company share an address and open pages poll.
 */
export function rateLimitPayers(
  buckets: TokenBuckets,
  { realNow }: Pick<Clock, 'realNow'>,
): MiddlewareHandler {
  return async function limitPayerRequests(c, next) {
    // The narrowest network first: a request that it refuses uses up nothing of the wider ones.
    for (const { network, share } of networksOf(clientIp(c))) {
      const waitMs = buckets.take(network, realNow(), share)
      if (waitMs === 0) continue
      throw tooManyRequests(TOO_MANY, waitMs, { event: 'requests_limited', limit: 'PAYER_RATE' })
    }
    await next()
  }
}

/**
 * Limits requests for static files, apart from the pages and ten times as generously, because they
 * are served from memory. `payerRate` is the requests per minute of the pages.
 */
export function rateLimitAssets(
  payerRate: number,
  clock: Pick<Clock, 'realNow'>,
): MiddlewareHandler {
  return rateLimitPayers(createTokenBuckets(payerRate * FILES_PER_PAGE), clock)
}

/**
 * Limits API requests without valid credentials, together with the pages. Requests with valid
 * credentials are not counted, so that an integration is not affected by others who share its
 * address.
 */
export function rateLimitAnonymous(
  buckets: TokenBuckets,
  clock: Pick<Clock, 'realNow'>,
): MiddlewareHandler {
  const limit = rateLimitPayers(buckets, clock)
  return async function limitRefusedCallers(c, next) {
    await next()
    if (c.error === undefined || c.get('actor') !== undefined) return
    // A header of the 401, which may become a 429.
    const challenge = c.res.headers.get('www-authenticate') ?? undefined
    c.header('WWW-Authenticate', undefined)
    await limit(c, async () => {})
    c.header('WWW-Authenticate', challenge)
  }
}

/**
 * Limits the API requests of one caller: a secret key, a user, or a platform's grant. Runs after
 * authentication.
 */
export function rateLimitCallers(
  buckets: TokenBuckets,
  { realNow }: Pick<Clock, 'realNow'>,
): MiddlewareHandler {
  return async function limitApiRequests(c, next) {
    const actor = c.get('actor')
    const caller = actor?.credential ?? actor?.user
    const waitMs = caller === undefined ? 0 : buckets.take(caller, realNow())
    if (waitMs > 0) {
      throw tooManyRequests(TOO_MANY, waitMs, { event: 'requests_limited', limit: 'API_RATE' })
    }
    await next()
  }
}
