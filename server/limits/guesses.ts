import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-address.ts'
import { Unauthorised, tooManyRequests } from '../http/refusal.ts'
import type { AppEnv } from '../http/router.ts'
import { networkOf } from './address.ts'
import { countOne, pauseLeft } from './recent.ts'
import type { Limit } from './recent.ts'

const GUESSES: Limit = { name: 'wrong-credentials', max: 20, withinMs: 10 * 60_000 }

/** Addresses that this process remembers to have sent wrong credentials. */
const SUSPECTS_MAX = 20_000

/**
 * Refuses the merchant's API to an address that has sent twenty wrong credentials within ten
 * minutes, for ten minutes, be the next ones right or wrong. What was counted survives a restart
 * and holds for all processes.
 *
 * Only addresses that this process has seen fail are looked up beforehand, so that callers with
 * right credentials cost no query: whoever is locked out elsewhere has one guess here.
 *
 * A token that has run out is how a platform learns to fetch another one, and no guess.
 */
export function limitGuesses(deps: Deps): MiddlewareHandler<AppEnv> {
  const suspects = new Set<string>()
  return async function limitWrongCredentials(c, next) {
    const network = networkOf(clientAddress(c))
    const guesses = /^basic /i.test(c.req.header('authorization') ?? '')
    if (network === undefined || !guesses) return next()
    const watched = { limit: GUESSES, key: network }
    const refuse = async () => {
      const waitMs = await pauseLeft(deps.db, [watched], deps.now())
      if (waitMs > 0) throw tooManyRequests('Too many wrong credentials; try again later', waitMs)
    }
    if (suspects.has(network)) await refuse()
    await next()
    if (!(c.error instanceof Unauthorised)) return
    suspects.add(network)
    if (suspects.size > SUSPECTS_MAX) suspects.delete(suspects.values().next().value as string)
    // What is left of the 401, which becomes a 429.
    const challenge = c.res.headers.get('www-authenticate') ?? undefined
    c.header('WWW-Authenticate', undefined)
    await refuse()
    c.header('WWW-Authenticate', challenge)
    const tripped = await countOne(deps.db, watched, deps.now())
    if (tripped) deps.security.record('credentials_locked_out', { limit: GUESSES.name, network })
  }
}
