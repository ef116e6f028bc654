import type { ClientRow, TokenRow } from '../db/tables/oauth.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { OAuthError } from './oauth-error.ts'
import { type TokenResponse, issueAccessToken, issueRefreshToken } from './issue-tokens.ts'
import { resolveScopes } from './scopes.ts'
import {
  deleteIssuedAccessTokens,
  findRefreshToken,
  voidUnusedSuccessor,
  consumeRefreshToken,
} from './token-store.ts'
import { endGrants, lockTokenGrant, reuseBy } from './grant-store.ts'

/** How long a public client may repeat a refresh token whose response was lost. */
export const RETRY_WINDOW_MS = 30_000

export interface RefreshTokenRequest {
  refreshToken: string
  /** Separated by spaces. All approved scopes when undefined. */
  scope: string | undefined
}

/**
 * Exchanges a refresh token for an access token (RFC 6749 section 6).
 *
 * A confidential client keeps its refresh token, which is bound to the client secret. A public
 * client's token is rotated at each use (RFC 9700 section 2.2.2): the response contains its successor,
 * which expires when the first one would have expired.
 *
 * Throws OAuthError `invalid_grant` or `invalid_scope`. Reuse of a rotated token revokes its grant.
 */
export async function refreshTokenGrant(
  deps: Deps,
  client: ClientRow,
  request: RefreshTokenRequest,
): Promise<TokenResponse & { refresh_token?: string }> {
  const now = deps.now()
  const key = {
    hash: hashSecret(request.refreshToken),
    clientId: client.id,
    now: formatInstant(now),
  }
  const isPublic = client.secret_hash === null
  // Errors are thrown after the transaction, or it would roll back the revocation.
  const response = await inTransaction(deps.db, async (tx) => {
    // Serializes the grant's tokens: a token and its successor may arrive concurrently.
    if (isPublic) await lockTokenGrant(tx, key)
    const token = await findRefreshToken(tx, key)
    if (!token) return 'unknown'
    if (token.used !== null && !(await isRetry(tx, token, now))) {
      await endGrants(tx, { id: token.grant_id }, reuseBy(client, now))
      return 'reused'
    }
    const scopes = resolveScopes(request.scope, token.scopes)
    if (scopes === undefined) {
      throw new OAuthError('invalid_scope', 'scope exceeds the approved scopes')
    }
    const grant = { id: token.grant_id, scopes }
    if (!isPublic) return issueAccessToken(tx, grant, now)
    const refresh_token = await rotate(tx, token, now)
    return { ...(await issueAccessToken(tx, grant, now, token.hash)), refresh_token }
  })
  if (response === 'unknown') {
    throw new OAuthError('invalid_grant', 'the refresh token is invalid, expired or revoked', {
      recordedAs: { event: 'oauth_grant_refused' },
    })
  }
  if (response === 'reused') {
    throw new OAuthError(
      'invalid_grant',
      'the refresh token was used before; the grant is revoked',
      {
        recordedAs: { event: 'oauth_token_reused' },
      },
    )
  }
  return response
}

/**
 * Returns whether a used token may be used again: within the retry window, while its successor is
 * unused. The retry voids that successor, so a thief who holds it is detected at its next use.
 */
async function isRetry(tx: Tx, token: TokenRow, now: number): Promise<boolean> {
  if (Date.parse(token.used ?? '') + RETRY_WINDOW_MS < now) return false
  return voidUnusedSuccessor(tx, token, formatInstant(now))
}

/** Marks the token as used. Returns its successor, which has the same scopes and expiry. */
async function rotate(tx: Tx, token: TokenRow, now: number): Promise<string> {
  if (token.used === null) await consumeRefreshToken(tx, token.hash, formatInstant(now))
  else await deleteIssuedAccessTokens(tx, token)
  const lifetimeMs = Date.parse(token.expires) - now
  return issueRefreshToken(
    tx,
    { id: token.grant_id, scopes: token.scopes },
    { now, lifetimeMs, parent: token.hash },
  )
}
