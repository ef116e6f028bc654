import { type ErrorHandler, Hono, type MiddlewareHandler } from 'hono'
import type { ClientRow } from '../db/tables/oauth.ts'
import type { Deps } from '../deps.ts'
import { clientInfo } from '../actor-sessions/caller.ts'
import { type Form, readForm } from '../http/form.ts'
import { ApiError } from '../errors.ts'
import { unavailableResponse } from '../http/error-handler.ts'
import type { AppContext } from '../http/router.ts'
import { recordSecurityRefusal } from '../http/record-refusal.ts'
import { authenticateClient } from './client-authentication.ts'
import { authorizationCodeGrant } from './authorization-code-grant.ts'
import { type OAuthErrorCode, OAuthError } from './oauth-error.ts'
import type { TokenResponse } from './issue-tokens.ts'
import { rateLimitAddress, rateLimitClient } from './rate-limit.ts'
import { readRedirectUrl } from './redirect-uri.ts'
import { refreshTokenGrant } from './refresh-token-grant.ts'
import { revokeToken } from './revoke.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The platform that asks for access or tokens, for the log. */
    oauthClient?: string
  }
}

const PATHS = ['/oauth/token', '/oauth/revoke']

/**
 * `/oauth/token` (RFC 6749 section 3.2) and `/oauth/revoke` (RFC 7009). Parameters are read from the
 * body only, because URLs end up in logs. There are no CORS headers: the callers are servers.
 */
export function tokenRoutes(deps: Deps, rateLimit: MiddlewareHandler): Hono {
  const app = new Hono()
  app.onError(tokenErrorHandler(deps))

  app.post('/oauth/token', async (c) => {
    const { client, form } = await authenticate(c)
    return respond(c, await exchangeGrant(deps, client, form))
  })

  app.post('/oauth/revoke', async (c) => {
    const { client, form } = await authenticate(c)
    await revokeToken(deps, client, requireField(form, 'token'))
    // RFC 7009 ignores the body, but some clients parse it as JSON.
    return respond(c, {})
  })

  for (const path of PATHS) {
    app.all(path, rateLimit, (c) => {
      c.header('Allow', 'POST')
      throw new ApiError('METHOD_NOT_ALLOWED', 'only POST is allowed here')
    })
  }
  return app

  async function authenticate(c: AppContext): Promise<{ client: ClientRow; form: Form }> {
    const address = clientInfo(c).ip
    const { client, form } = await readClient(c).catch(async (error: unknown) => {
      // The limit in memory comes first, so that a flood of wrong credentials writes no rows.
      await rateLimit(c, async () => {})
      await rateLimitAddress(deps, address)
      throw error
    })
    c.set('oauthClient', client.id)
    await rateLimitClient(deps, client, address)
    return { client, form }
  }

  async function readClient(c: AppContext): Promise<{ client: ClientRow; form: Form }> {
    const form = await readForm(c)
    const authorization = c.req.header('authorization')
    return { client: await authenticateClient(deps.db, authorization, form), form }
  }
}

function exchangeGrant(deps: Deps, client: ClientRow, form: Form): Promise<TokenResponse> {
  const type = requireField(form, 'grant_type')
  if (type === 'authorization_code') {
    return authorizationCodeGrant(deps, client, {
      code: requireField(form, 'code'),
      redirectUrl: readRedirectUrl(form),
      verifier: form.get('code_verifier') || undefined,
    })
  }
  if (type === 'refresh_token') {
    return refreshTokenGrant(deps, client, {
      refreshToken: requireField(form, 'refresh_token'),
      scope: form.get('scope') || undefined,
    })
  }
  throw new OAuthError(
    'unsupported_grant_type',
    'grant_type must be authorization_code or refresh_token',
  )
}

function requireField(form: Form, name: string): string {
  const value = form.get(name)
  if (!value) throw new OAuthError('invalid_request', `${name} is required`)
  return value
}

function respond(c: AppContext, body: object): Response {
  setNoStore(c)
  return c.json(body)
}

/** RFC 6749 section 5.1. */
function setNoStore(c: AppContext): void {
  c.header('Cache-Control', 'no-store')
  c.header('Pragma', 'no-cache')
}

function errorCode({ type }: ApiError): OAuthErrorCode {
  return type === 'UNAVAILABLE' ? 'temporarily_unavailable' : 'invalid_request'
}

/** Responds with the error format of RFC 6749 section 5.2. */
function tokenErrorHandler({ log, security }: Deps): ErrorHandler {
  return (thrown, c) => {
    setNoStore(c)
    const error = unavailableResponse(thrown, c, log)
    if (!(error instanceof OAuthError) && !(error instanceof ApiError)) {
      log.error({ err: error, request: c.get('requestId') }, 'request failed')
      return c.json({ error: 'server_error', error_description: 'internal server error' }, 500)
    }
    if (error.recordedAs) recordSecurityRefusal(security, c, error.recordedAs)
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
    const code = error instanceof OAuthError ? error.code : errorCode(error)
    // Logs nothing that the client sent.
    const client = c.get('oauthClient')
    log.info({ client, error: code, request: c.get('requestId') }, 'token request refused')
    return c.json({ error: code, error_description: error.message }, error.status)
  }
}
