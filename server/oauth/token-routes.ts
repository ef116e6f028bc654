import { type ErrorHandler, Hono } from 'hono'
import type { ClientRow } from '../db/rows.ts'
import type { Deps } from '../deps.ts'
import { clientInfo } from '../actor-sessions/caller.ts'
import { type Form, readForm } from '../http/form.ts'
import { ApiError } from '../errors.ts'
import { unavailableResponse } from '../http/error-handler.ts'
import type { AppContext, AppEnv } from '../http/router.ts'
import { rateLimitPayers } from '../http/rate-limit.ts'
import { recordSecurityRefusal } from '../observe/record-refusal.ts'
import { authenticateClient } from './client-authentication.ts'
import { authorizationCodeGrant } from './authorization-code-grant.ts'
import { type OAuthErrorCode, OAuthError } from './oauth-error.ts'
import type { TokenResponse } from './issue-tokens.ts'
import { rateLimitAddress, rateLimitClient } from './rate-limit.ts'
import { readRedirectUrl } from './redirect-uri.ts'
import { refreshTokenGrant } from './refresh-token-grant.ts'
import { revokeToken } from './revoke.ts'

const PATHS = ['/oauth/token', '/oauth/revoke']

/**
 * `/oauth/token` and `/oauth/revoke` (specification: OAuth endpoints; RFC 6749 section 3.2, RFC
 * 7009): forms by POST, from one server to another. What stands in the query is not read, because
 * addresses end up in logs; and no browser's script from elsewhere is answered.
 */
export function tokenRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const limitStrangers = rateLimitPayers(deps)
  app.onError(answerFailures(deps))

  app.post('/oauth/token', async (c) => {
    const { client, form } = await readCaller(c)
    return answer(c, await grantTokens(deps, client, form))
  })

  app.post('/oauth/revoke', async (c) => {
    const { client, form } = await readCaller(c)
    await revokeToken(deps, client, required(form, 'token'))
    // Empty JSON: there is nothing to say, and a common client parses whatever it gets.
    return answer(c, {})
  })

  for (const path of PATHS) {
    app.all(path, limitStrangers, (c) => {
      c.header('Allow', 'POST')
      throw new ApiError('METHOD_NOT_ALLOWED', 'only POST is allowed here')
    })
  }
  return app

  async function readCaller(c: AppContext): Promise<{ client: ClientRow; form: Form }> {
    const address = clientInfo(c).ip
    const { client, form } = await identify(c).catch(async (error: unknown) => {
      // In memory first: a flood of wrong credentials writes nothing.
      await limitStrangers(c, async () => {})
      await rateLimitAddress(deps, address)
      throw error
    })
    c.set('oauthClient', client.id)
    await rateLimitClient(deps, client, address)
    return { client, form }
  }

  async function identify(c: AppContext): Promise<{ client: ClientRow; form: Form }> {
    const form = await readForm(c)
    const authorization = c.req.header('authorization')
    return { client: await authenticateClient(deps.db, authorization, form), form }
  }
}

/** The answer's members are those of the interface; a public client's refresh has one more. */
function grantTokens(deps: Deps, client: ClientRow, form: Form): Promise<TokenResponse> {
  const type = required(form, 'grant_type')
  if (type === 'authorization_code') {
    return authorizationCodeGrant(deps, client, {
      code: required(form, 'code'),
      redirectUrl: readRedirectUrl(form),
      verifier: form.get('code_verifier') || undefined,
    })
  }
  if (type === 'refresh_token') {
    return refreshTokenGrant(deps, client, {
      refreshToken: required(form, 'refresh_token'),
      scope: form.get('scope') || undefined,
    })
  }
  throw new OAuthError(
    'unsupported_grant_type',
    'grant_type must be authorization_code or refresh_token',
  )
}

function required(form: Form, name: string): string {
  const value = form.get(name)
  if (!value) throw new OAuthError('invalid_request', `${name} is required`)
  return value
}

function answer(c: AppContext, body: object): Response {
  dontKeep(c)
  return c.json(body)
}

/** RFC 6749 section 5.1, for what old caches understand as well. */
function dontKeep(c: AppContext): void {
  c.header('Cache-Control', 'no-store')
  c.header('Pragma', 'no-cache')
}

/** A server that is down for a moment is no fault of the request; other refusals are. */
function codeOf({ type }: ApiError): OAuthErrorCode {
  return type === 'UNAVAILABLE' ? 'temporarily_unavailable' : 'invalid_request'
}

/** One shape for everything that goes wrong here, which is neither of the two of the API. */
function answerFailures({ log, security }: Deps): ErrorHandler<AppEnv> {
  return (thrown, c) => {
    dontKeep(c)
    const error = unavailableResponse(thrown, c, log)
    const known = error instanceof OAuthError || error instanceof ApiError
    if (!known) {
      log.error({ err: error, request: c.get('requestId') }, 'request failed')
      return c.json({ error: 'server_error', error_description: 'internal server error' }, 500)
    }
    if (error.recordedAs) recordSecurityRefusal(security, c, error.recordedAs)
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
    const code = error instanceof OAuthError ? error.code : codeOf(error)
    // Which client and what kind of failure, and nothing that it sent.
    const client = c.get('oauthClient')
    log.info({ client, error: code, request: c.get('requestId') }, 'token request refused')
    return c.json({ error: code, error_description: error.message }, error.status)
  }
}
