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

const GUESSES: SlidingWindowLimit = { name: 'wrong-credentials', max: 20, withinMs: 10 * 60_000 }

/**
 * Refuses wrong secret keys of an address that has sent twenty within ten minutes, for ten minutes.
 * What was counted survives a restart and holds for all processes.
 *
 * A right key passes all the same, or whoever shares an address with a shop could shut its
 * integration out. That tells an attacker nothing that a guess would not: a key of enough random
 * characters cannot be guessed. One that was stored when shorter keys were allowed can be, so during
 * the pause it is refused too. Passwords have limits of their own, see `try-password.ts`.
 *
 * A token that has run out is how a platform learns to fetch another one, and no guess.
 */
export function limitWrongCredentials(deps: Deps): MiddlewareHandler {
  return async function limitWrongCredentials(c, next) {
    const network = networkOf(clientIp(c))
    const header = c.req.header('authorization') ?? ''
    const credentials = parseBasicCredentials(header)
    const isPassword = credentials !== undefined && credentials.password !== ''
    if (network === undefined || !/^basic /i.test(header) || isPassword) return next()
    const watched = watchNetworks(GUESSES, network)
    const refuse = async () => {
      const waitMs = await pauseLeft(deps.db, watched, deps.now())
      if (waitMs === 0) return
      deps.security.record('credentials_refused', { limit: GUESSES.name, network })
      throw tooManyRequests('Too many wrong credentials; try again later', waitMs)
    }
    if (!isStrongSecretKey(credentials?.username ?? '')) await refuse()
    await next()
    if (!(c.error instanceof UnauthorizedError)) return
    // What is left of the 401, which becomes a 429.
    const challenge = c.res.headers.get('www-authenticate') ?? undefined
    c.header('WWW-Authenticate', undefined)
    await refuse()
    c.header('WWW-Authenticate', challenge)
    for (const each of watched) {
      if (!(await countOne(deps.db, each, deps.now()))) continue
      const { limit, key } = each
      deps.security.record('credentials_locked_out', { limit: limit.name, network: key })
    }
  }
}
