import type { MiddlewareHandler } from 'hono'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { clientInfo } from '../actor-sessions/caller.ts'
import { UnauthorizedError } from '../errors.ts'
import type { Permission } from '../../shared/rules/permissions.ts'
import { permissionsOfRole } from '../../shared/rules/roles.ts'
import { permissionsOf } from '../../shared/rules/scopes.ts'
import { recordGrantUse } from '../oauth/record-grant-use.ts'
import { findAccessToken } from '../oauth/token-store.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret } from '../auth/secrets.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The permissions of the access token, secret key or user's role. Unset for callers without a restriction. */
    permitted?: ReadonlySet<Permission>
  }
}

// RFC 6750 section 3: a request without a token gets no error code.
const NO_TOKEN = 'Bearer realm="Checkstand"'
const INVALID_TOKEN = 'Bearer realm="Checkstand", error="invalid_token"'

/**
 * Bearer authentication for `/c/api/…`, where the token determines the instance. It is read from the
 * header only, because URLs are logged and shared. Requests that Basic authentication accepted pass.
 */
export function bearerAuth(deps: Deps): MiddlewareHandler {
  return async function bearerAuthentication(c, next) {
    if (c.get('instance') !== undefined) return next()
    const token = /^bearer +([\w.~+/-]+=*)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (token === undefined) throw new UnauthorizedError(NO_TOKEN)
    const access = await findAccessToken(deps.db, hashSecret(token), formatInstant(deps.now()))
    const granted = access && permissionsOf(access.scopes)
    if (!access || !granted) throw new UnauthorizedError(INVALID_TOKEN, { event: 'token_refused' })
    await recordGrantUse(deps, access.grantId)
    c.set('instance', access.instance)
    // A platform can do no more than the user who approved it.
    const { role, instance } = access
    const own = permissionsOfRole(role, instance.mode)
    c.set('permitted', new Set([...granted].filter((permission) => own.has(permission))))
    c.set('actor', {
      type: 'OAUTH',
      client: access.clientId,
      user: access.userId,
      // Access tokens expire within an hour, so the session belongs to the grant.
      credential: hashSecret(access.grantId),
      ...clientInfo(c),
    })
    await withClockOf(access.instance, next)
  }
}
