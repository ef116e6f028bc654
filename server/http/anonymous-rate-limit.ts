import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import type { AppEnv } from './router.ts'
import { rateLimitPayers } from './rate-limit.ts'

/**
 * Limits how often one address asks the merchant's API without credentials or with wrong ones, be they
 * refused as wrong or because of wrong ones before,
 * together with what it asks of the pages. What has right credentials is not counted: an integration
 * goes on, whoever else shares its address.
 */
export function limitAnonymous(
  deps: Pick<Deps, 'rateLimits' | 'realNow'>,
): MiddlewareHandler<AppEnv> {
  const limit = rateLimitPayers(deps)
  return async function limitRefusedCallers(c, next) {
    await next()
    if (c.error === undefined || c.get('actor') !== undefined) return
    // What is left of the 401, which may become a 429.
    const challenge = c.res.headers.get('www-authenticate') ?? undefined
    c.header('WWW-Authenticate', undefined)
    await limit(c, async () => {})
    c.header('WWW-Authenticate', challenge)
  }
}
