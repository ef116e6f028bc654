import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import { clientIp } from './client-ip.ts'
import { tooManyRequests } from '../errors.ts'
import type { AppEnv } from './router.ts'
import { networksOf } from '../rate-limits/client-network.ts'

/** How many requests are too many, whatever they ask for. In memory, and shared: see `buckets.ts`. */

const TOO_MANY = 'Too many requests; try again later'

/**
 * Limits what one address asks of the payers' part: pages, sessions and submits together. The
 * setting is generous, because a company's people share an address, and their pages ask again and
 * again while they wait.
 */
export function rateLimitPayers(
  deps: Pick<Deps, 'rateLimits' | 'realNow'>,
): MiddlewareHandler<AppEnv> {
  return async function limitPayerRequests(c, next) {
    // The narrowest first: what it is refused uses up nothing of the networks around it.
    for (const { network, share } of networksOf(clientIp(c))) {
      const waitMs = deps.rateLimits.payers.take(network, deps.realNow(), share)
      if (waitMs === 0) continue
      throw tooManyRequests(TOO_MANY, waitMs, { event: 'requests_limited', limit: 'PAYER_RATE' })
    }
    await next()
  }
}

/**
 * Limits what one caller asks of the merchant's API: a secret key, a user, or the grant of a
 * platform. It runs behind authentication.
 */
export function rateLimitCallers(
  deps: Pick<Deps, 'rateLimits' | 'realNow'>,
): MiddlewareHandler<AppEnv> {
  return async function limitApiRequests(c, next) {
    const actor = c.get('actor')
    const caller = actor?.credential ?? actor?.user
    const waitMs = caller === undefined ? 0 : deps.rateLimits.callers.take(caller, deps.realNow())
    if (waitMs > 0) {
      throw tooManyRequests(TOO_MANY, waitMs, { event: 'requests_limited', limit: 'API_RATE' })
    }
    await next()
  }
}
