import type { MiddlewareHandler } from 'hono'
import { clientInfo } from '../actor-sessions/caller.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { notFound, tooManyRequests } from '../errors.ts'
import { createTokenBuckets } from '../rate-limits/token-bucket.ts'
import type { AppContext } from '../http/router.ts'
import { isConsoleHost } from '../http/console-host.ts'
import { createCsrfToken, verifyCsrfToken } from '../users/csrf-token.ts'
import { findSession, type UserSession } from '../users/sessions.ts'
import { hasUsedSecondFactor, requiresSecondFactor } from '../users/second-factor-policy.ts'
import { accessOfUser } from './user-access.ts'

/** Carries the token of the console. Browsers send a custom header across origins only after a preflight. */
const CONSOLE_HEADER = 'checkstand-console'
const PURPOSE = 'console'
/** Requests a minute of one session: more than a person causes, in any number of tabs. */
const SESSION_RATE = 600

/** Returns the value of the header `Checkstand-Console` of a session; only the console's page has it. */
export function consoleToken({ secret }: Pick<UserSession, 'secret'>): string {
  return createCsrfToken(secret, PURPOSE)
}

/**
 * Authentication of the console's requests to `/c/api/instances/{instance_key}/…` by the cookie of a
 * signed-in user. Requests with an `Authorization` header, and those that break a rule, pass as if they
 * had no cookie.
 */
export function sessionAuth(deps: Deps): MiddlewareHandler {
  const buckets = createTokenBuckets(Math.min(SESSION_RATE, deps.config.apiRate))
  return async function sessionAuthentication(c, next) {
    const session = await findConsoleSession(deps, c)
    if (!session) return next()
    const key = c.req.param('instance_key') ?? ''
    const access = await accessOfUser(deps.db, session.user, key)
    const { instance, actor, actingUser, permitted, role } = access
    if (!instance) throw notFound('Instance')
    c.set('instance', instance)
    c.set('permitted', permitted)
    c.set('actingUser', { ...actingUser, sessionId: session.id })
    c.set('role', role)
    c.set('actor', { ...actor, ...clientInfo(c) })
    const waitMs = buckets.take(session.secret, deps.realNow())
    if (waitMs > 0) {
      const recordedAs = { event: 'requests_limited', limit: 'SESSION' } as const
      throw tooManyRequests('Too many requests; try again later', waitMs, recordedAs)
    }
    c.set('authenticated', session.authenticated)
    if (requiresSecondFactor(deps.config, instance.mode) && !hasUsedSecondFactor(session)) {
      c.set('secondFactorMissing', true)
    }
    await withClockOf(instance, next)
  }
}

/**
 * Returns the session of a request of the console. Every rule must hold: no other credentials, the token
 * of the console's page, its site, origin and host, and the cookie of a session that lasts.
 */
export async function findConsoleSession(
  deps: Deps,
  c: AppContext,
): Promise<UserSession | undefined> {
  if (c.req.header('authorization') !== undefined) return undefined
  const token = c.req.header(CONSOLE_HEADER)
  if (token === undefined || !comesFromConsole(deps, c)) return undefined
  const session = await findSession(deps, c)
  return session && verifyCsrfToken(session.secret, PURPOSE, token) ? session : undefined
}

/** Browsers say where a request comes from; scripts of other sites cannot change these headers. */
function comesFromConsole({ config }: Deps, c: AppContext): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') return false
  if (!isConsoleHost(config, c)) return false
  return c.req.method === 'GET' || c.req.header('origin') === config.consoleUrl
}
