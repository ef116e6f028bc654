import type { MiddlewareHandler } from 'hono'
import { parseBasicCredentials } from '../auth/basic-credentials.ts'
import { isStrongSecretKey } from '../secret-key.ts'
import type { Deps } from '../deps.ts'
import { clientIp } from '../http/client-ip.ts'
import { UnauthorizedError, tooManyRequests } from '../errors.ts'
import { networkOf } from '../rate-limits/client-network.ts'
import {
  countOne,
  type SlidingWindowLimit,
  pauseLeft,
  watchNetworks,
} from '../rate-limits/sliding-window.ts'

const LIMIT: SlidingWindowLimit = { name: 'wrong-credentials', max: 20, withinMs: 10 * 60_000 }

/**
 * Responds with 429 to wrong secret keys from a network that sent 20 of them within 10 minutes, for
 * 10 minutes. The counters are in the database: they survive restarts and hold for all processes.
 *
 * A right key still passes, so that others behind the same address cannot lock an integration out
 * (D71). Keys that are short enough to guess are refused as well. Passwords have limits of their own,
 * in `users/verify-password.ts`. Bearer tokens are not counted, because they expire regularly (D45).
 */
export function limitWrongCredentials(deps: Deps): MiddlewareHandler {
  return async function limitWrongCredentials(c, next) {
    const network = networkOf(clientIp(c))
    const header = c.req.header('authorization') ?? ''
    const credentials = parseBasicCredentials(header)
    const isPassword = credentials !== undefined && credentials.password !== ''
    if (network === undefined || !/^basic /i.test(header) || isPassword) return next()
    const watched = watchNetworks(LIMIT, network)
    const assertNotPaused = async () => {
      const waitMs = await pauseLeft(deps.db, watched, deps.now())
      if (waitMs === 0) return
      deps.security.record('credentials_refused', { limit: LIMIT.name, network })
      throw tooManyRequests('Too many wrong credentials; try again later', waitMs)
    }
    if (!isStrongSecretKey(credentials?.username ?? '')) await assertNotPaused()
    await next()
    if (!(c.error instanceof UnauthorizedError)) return
    // The 401 may become a 429, which has no challenge.
    const challenge = c.res.headers.get('www-authenticate') ?? undefined
    c.header('WWW-Authenticate', undefined)
    await assertNotPaused()
    c.header('WWW-Authenticate', challenge)
    for (const counter of watched) {
      if (!(await countOne(deps.db, counter, deps.now()))) continue
      const { limit, key } = counter
      deps.security.record('credentials_locked_out', { limit: limit.name, network: key })
    }
  }
}
