import type { ClientRow } from '../db/tables/oauth.ts'
import { containsCardNumber } from '../../shared/rules/card-in-text.ts'
import type { Db } from '../db/tables.ts'
import { ApiError } from '../errors.ts'
import { type QueryParameters, parseQueryString } from './request-parameters.ts'
import { readRedirectUrl, registeredRedirectUrls } from './redirect-uri.ts'
import { resolveScopes } from './scopes.ts'
import { findClient } from './client-store.ts'

/**
 * An authorization request (RFC 6749 section 4.1.1) from a known client with a registered redirect
 * URL.
 */
export interface AuthorizationRequest {
  client: ClientRow
  /** The registered URL that equals the requested one. */
  redirectUrl: string
  state: Buffer | undefined
  scopes: string
  /** The S256 challenge of PKCE. */
  challenge: string | undefined
  /** An error to report to the redirect URL. */
  error: AuthorizationError | undefined
}

export interface AuthorizationError {
  code: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'access_denied'
  description: string
}

const IDENTIFYING_PARAMETERS = new Set(['client_id', 'redirect_url', 'redirect_uri'])

/**
 * Parses the query of a request. Throws a 400 ApiError when the client or the redirect URL is invalid:
 * such an error is shown as a page, because redirecting to an unverified URL would be an open
 * redirect (RFC 6749 section 4.1.2.1).
 */
export async function parseAuthorizationRequest(
  db: Db,
  queryText: string,
): Promise<AuthorizationRequest> {
  const query = parseQueryString(queryText)
  const repeated = query.repeated.find((name) => IDENTIFYING_PARAMETERS.has(name))
  if (repeated !== undefined) {
    throw invalidRequest(`${repeated} must not be repeated`)
  }
  const client = await findClient(db, query.fields.get('client_id') ?? '')
  if (!client) throw invalidRequest('client_id is unknown')
  const requestedUrl = readRedirectUrl(query.fields)
  if (requestedUrl === undefined) throw invalidRequest('redirect_url is required')
  const redirectUrl = registeredRedirectUrls(client).find(
    (registered) => registered === requestedUrl,
  )
  if (redirectUrl === undefined) {
    throw invalidRequest('redirect_url is not registered for this client')
  }
  const scopes = resolveScopes(query.fields.get('scope'), client.scopes)
  return {
    client,
    redirectUrl,
    state: query.state,
    scopes: scopes ?? '',
    challenge: query.fields.get('code_challenge'),
    error:
      repeatedParameterError(query) ??
      responseTypeError(query) ??
      scopeError(scopes) ??
      pkceError(query, client),
  }
}

function invalidRequest(message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message, {
    recordedAs: { event: 'oauth_request_refused' },
  })
}

function repeatedParameterError({
  repeated: [name],
}: QueryParameters): AuthorizationError | undefined {
  if (name === undefined) return undefined
  return { code: 'invalid_request', description: 'a parameter must not be repeated' }
}

function responseTypeError({ fields }: QueryParameters): AuthorizationError | undefined {
  const type = fields.get('response_type')
  if (type === 'code') return undefined
  return type === undefined
    ? { code: 'invalid_request', description: 'response_type is required' }
    : { code: 'unsupported_response_type', description: 'response_type must be code' }
}

function scopeError(scopes: string | undefined): AuthorizationError | undefined {
  if (scopes !== undefined) return undefined
  const description = 'scope contains a value that is unknown or not registered for this client'
  return { code: 'invalid_scope', description }
}

/** S256 is required: with the method `plain` the challenge is the verifier itself. */
function pkceError({ fields }: QueryParameters, client: ClientRow): AuthorizationError | undefined {
  const challenge = fields.get('code_challenge')
  const method = fields.get('code_challenge_method')
  const invalid = (description: string): AuthorizationError => ({
    code: 'invalid_request',
    description,
  })
  if (challenge === undefined) {
    if (method !== undefined)
      return invalid('code_challenge is required with code_challenge_method')
    return client.require_pkce === 1 ? invalid('code_challenge is required') : undefined
  }
  if (method !== 'S256') return invalid('code_challenge_method must be S256')
  const isHash = /^[\w-]{43}$/.test(challenge) && !containsCardNumber(challenge)
  return isHash ? undefined : invalid('code_challenge is not a SHA-256 hash')
}
