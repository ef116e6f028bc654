import { z } from 'zod'
import { nestedError } from '../../../../shared/schemas/error-bodies.ts'
import type { DescribedRoute } from '../mount.ts'

/** `/oauth/token` and `/oauth/revoke` (RFC 6749 and RFC 7009). */

const oauthError = z
  .strictObject({
    error: z
      .enum([
        'invalid_request',
        'invalid_client',
        'invalid_grant',
        'invalid_scope',
        'unsupported_grant_type',
        'temporarily_unavailable',
        'server_error',
      ])
      .meta({ description: 'Code of the error, as in RFC 6749.', example: 'invalid_grant' }),
    error_description: z.string().meta({
      description: 'Message for developers.',
      example: 'the code is not valid for this request',
    }),
  })
  .meta({ id: 'OAuthError', description: 'Error of a token request.' })

const tokens = z
  .strictObject({
    access_token: z.string().meta({ description: 'Token for the API, to be sent as Bearer.' }),
    refresh_token: z.string().optional().meta({
      description: 'After the exchange of a code, and at each refresh of a public client.',
    }),
    token_type: z.literal('Bearer').meta({ description: 'How the token is sent.' }),
    expires_in: z
      .int()
      .meta({ description: 'Seconds that the access token lives.', example: 3600 }),
  })
  .meta({ id: 'OAuthTokens', description: 'Tokens for the data of one merchant.' })

const failures = {
  // Repeated headers are rejected before the endpoint is reached.
  400: z.union([oauthError, nestedError]),
  401: oauthError,
  405: oauthError,
  421: nestedError,
  429: z.union([oauthError, nestedError]),
  500: oauthError,
  503: z.union([oauthError, nestedError]),
}

/** HTTP Basic, or the form alone for a public client. */
const security = [['client'], []]

const credentials = {
  client_id: z.string().optional().meta({ description: 'Unless HTTP Basic names the client.' }),
  client_secret: z.string().optional().meta({
    description: 'Unless HTTP Basic carries it, or the client is public.',
  }),
}

export const OAUTH: readonly DescribedRoute[] = [
  {
    method: 'post',
    path: '/oauth/token',
    tag: 'oauth',
    operation: 'create_oauth_token',
    summary: 'Get an access token',
    description:
      'Exchanges an authorization code for an access token and a refresh token, or a refresh token ' +
      'for a new access token. A code works once and for 15 minutes; redirect_url must be the one of ' +
      'the authorization request.',
    security,
    form: z.looseObject({
      grant_type: z.enum(['authorization_code', 'refresh_token']).meta({
        description: 'The credential to exchange: an authorization code or a refresh token.',
      }),
      code: z.string().optional().meta({ description: 'For authorization_code.' }),
      redirect_url: z.string().optional().meta({ description: 'For authorization_code.' }),
      redirect_uri: z.string().optional().meta({ description: 'The same as redirect_url.' }),
      code_verifier: z.string().optional().meta({
        description: 'For authorization_code, when the request had a code_challenge (RFC 7636).',
      }),
      refresh_token: z.string().optional().meta({ description: 'For refresh_token.' }),
      scope: z.string().optional().meta({
        description:
          'For refresh_token: scopes of the new token, separated by spaces; all if omitted.',
      }),
      ...credentials,
    }),
    responses: { 200: tokens, ...failures },
  },
  {
    method: 'post',
    path: '/oauth/revoke',
    tag: 'oauth',
    operation: 'revoke_oauth_token',
    summary: 'Revoke a token',
    description:
      'Revokes an access token or a refresh token of the client. An unknown token returns ' +
      'the same response.',
    security,
    form: z.looseObject({
      token: z.string().meta({ description: 'The access or refresh token to revoke.' }),
      token_type_hint: z.string().optional().meta({
        description: 'access_token or refresh_token.',
        example: 'refresh_token',
      }),
      ...credentials,
    }),
    responses: { 200: z.strictObject({}), ...failures },
  },
]
