import type { ClientRow } from '../db/rows.ts'
import { holdsCardNumber } from '../../shared/rules/card-in-text.ts'
import type { Db } from '../db/tables.ts'
import { ApiError } from '../errors.ts'
import { type QueryParameters, parseQueryString } from './request-parameters.ts'
import { readRedirectUrl, registeredRedirectUrls } from './redirect-uri.ts'
import { resolveScopes } from './scopes.ts'
import { findClient } from './store.ts'

/**
 * An authorisation request (RFC 6749 section 4.1.1) that has been found good, or what is wrong
 * with one that can be answered to its platform.
 */
export interface AuthorizationRequest {
  client: ClientRow
  /** The registered address: what the request says is only ever compared with it. */
  redirectUrl: string
  state: Buffer | undefined
  scopes: string
  /** Of PKCE by S256. */
  challenge: string | undefined
  /** Set when the platform asked for something that it cannot have. */
  error: AuthorizationError | undefined
}

export interface AuthorizationError {
  error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope'
  description: string
}

/** What says who asks and where the answer goes. */
const WHOSE = new Set(['client_id', 'redirect_url', 'redirect_uri'])

/**
 * Reads a request. While it is not certain who asks and where the answer goes, throws a 400
 * ApiError, which becomes a page: a redirect would make us a tool of whoever wrote the address
 * (safety section 1, rule 4).
 */
export async function parseAuthorizationRequest(
  db: Db,
  queryText: string,
): Promise<AuthorizationRequest> {
  const query = parseQueryString(queryText)
  const unclear = query.repeated.find((name) => WHOSE.has(name))
  if (unclear !== undefined) {
    throw refused(`${unclear} may be given once only`)
  }
  const client = await findClient(db, query.fields.get('client_id') ?? '')
  if (!client) throw refused('client_id is not known here')
  const asked = readRedirectUrl(query.fields)
  if (asked === undefined) throw refused('redirect_url is required')
  const redirectUrl = registeredRedirectUrls(client).find((registered) => registered === asked)
  if (redirectUrl === undefined) {
    throw refused('redirect_url is not registered for this client')
  }
  const scopes = resolveScopes(query.fields.get('scope'), client.scopes)
  return {
    client,
    redirectUrl,
    state: query.state,
    scopes: scopes ?? '',
    challenge: query.fields.get('code_challenge'),
    error:
      repeatProblem(query) ??
      typeProblem(query) ??
      scopeProblem(scopes) ??
      pkceProblem(query, client),
  }
}

/** A request that gets a page in place of a redirect. */
function refused(message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message, {
    recordedAs: { event: 'oauth_request_refused' },
  })
}

function repeatProblem({ repeated: [name] }: QueryParameters): AuthorizationError | undefined {
  if (name === undefined) return undefined
  return { error: 'invalid_request', description: 'a parameter may be given once only' }
}

function typeProblem({ fields }: QueryParameters): AuthorizationError | undefined {
  const type = fields.get('response_type')
  if (type === 'code') return undefined
  return type === undefined
    ? { error: 'invalid_request', description: 'response_type is required' }
    : { error: 'unsupported_response_type', description: 'response_type must be code' }
}

function scopeProblem(scopes: string | undefined): AuthorizationError | undefined {
  if (scopes !== undefined) return undefined
  const description = 'scope has a name that is unknown or not registered for this client'
  return { error: 'invalid_scope', description }
}

/** Only S256: without a method the challenge would be the verifier itself, which protects nothing. */
function pkceProblem(
  { fields }: QueryParameters,
  client: ClientRow,
): AuthorizationError | undefined {
  const challenge = fields.get('code_challenge')
  const method = fields.get('code_challenge_method')
  const wrong = (description: string): AuthorizationError => ({
    error: 'invalid_request',
    description,
  })
  if (challenge === undefined) {
    if (method !== undefined) return wrong('code_challenge is required with its method')
    return client.require_pkce === 1 ? wrong('code_challenge is required') : undefined
  }
  if (method !== 'S256') return wrong('code_challenge_method must be S256')
  const isHash = /^[\w-]{43}$/.test(challenge) && !holdsCardNumber(challenge)
  return isHash ? undefined : wrong('code_challenge is no SHA-256')
}
