import type { MiddlewareHandler } from 'hono'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { clientInfo } from '../actor-sessions/caller.ts'
import { UnauthorizedError } from '../errors.ts'
import { type Permission, permissionsOf } from '../http/scopes.ts'
import { findAccessToken } from '../oauth/token-store.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret } from '../auth/secrets.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** What the caller's token permits; unset for callers who may do everything. */
    permitted?: ReadonlySet<Permission>
  }
}

/** RFC 6750 section 3: no reason for a caller without a token, and one for a token that is not good. */
const NO_TOKEN = 'Bearer realm="Checkstand"'
const BAD_TOKEN = 'Bearer realm="Checkstand", error="invalid_token"'

/**
 * Bearer authentication for `/c/api/…` without an instance (specification: Authentication). The
 * token says whose data is meant. It is taken from the header only: an address is logged, shared
 * and kept in histories.
 *
 * A request below the prefix with an instance was authenticated there, and passes.
 */
export function bearerAuth(deps: Deps): MiddlewareHandler {
  return async function bearerAuthentication(c, next) {
    if (c.get('instance') !== undefined) return next()
    const token = /^bearer +([\w.~+/-]+=*)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (token === undefined) throw new UnauthorizedError(NO_TOKEN)
    const access = await findAccessToken(deps.db, hashSecret(token), formatInstant(deps.now()))
    const permitted = access && permissionsOf(access.scopes)
    if (!access || !permitted) throw new UnauthorizedError(BAD_TOKEN, { event: 'token_refused' })
    c.set('instance', access.instance)
    c.set('permitted', permitted)
    c.set('actor', {
      type: 'OAUTH',
      client: access.clientId,
      user: access.userId,
      // Tokens come and go within the hour; the session is the grant's.
      credential: hashSecret(access.grantId),
      ...clientInfo(c),
    })
    await withClockOf(access.instance, next)
  }
}
