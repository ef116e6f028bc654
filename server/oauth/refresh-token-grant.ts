import type { ClientRow, TokenRow } from '../db/rows.ts'
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
  lockTokenGrant,
  voidUnusedSuccessor,
  revokeGrants,
  consumeRefreshToken,
} from './store.ts'

/** How long after its first use a public client's refresh token may be sent again. */
export const RETRY_WINDOW_MS = 30_000

export interface RefreshTokenRequest {
  refreshToken: string
  /** Separated by spaces; all that was approved when left out. */
  scope: string | undefined
}

/**
 * Exchanges a refresh token for one more access token (RFC 6749 section 6).
 *
 * The refresh token of a client with a secret stays, and so do earlier access tokens until they
 * expire: it is bound to the secret, and a lost answer costs nothing. A public client's is replaced
 * at each use (RFC 9700 section 2.2.2), so its answer has a new `refresh_token`, which ends when
 * the first one would have ended.
 *
 * Throws OAuthFailure `invalid_grant` for a token that is not good, and `invalid_scope`. A token
 * that was already replaced revokes its whole grant.
 */
export async function refreshTokenGrant(
  deps: Deps,
  client: ClientRow,
  given: RefreshTokenRequest,
): Promise<TokenResponse & { refresh_token?: string }> {
  const now = deps.now()
  const named = {
    hash: hashSecret(given.refreshToken),
    clientId: client.id,
    now: formatInstant(now),
  }
  const isPublic = client.secret_hash === null
  // Refusing by an exception inside would undo the revocation that the refusal is about.
  const answer = await inTransaction(deps.db, async (tx) => {
    // All tokens of the grant change under its lock: a token and its successor may come at once.
    if (isPublic) await lockTokenGrant(tx, named)
    const token = await findRefreshToken(tx, named)
    if (!token) return 'unknown'
    if (token.used !== null && !(await isRetry(tx, token, now))) {
      await revokeGrants(tx, { id: token.grant_id }, named.now)
      return 'reused'
    }
    const scopes = resolveScopes(given.scope, token.scopes)
    if (scopes === undefined) {
      throw new OAuthError('invalid_scope', 'scope goes beyond what was approved')
    }
    const grant = { id: token.grant_id, scopes }
    if (!isPublic) return issueAccessToken(tx, grant, now)
    const refresh_token = await rotate(tx, token, now)
    return { ...(await issueAccessToken(tx, grant, now, token.hash)), refresh_token }
  })
  if (answer === 'unknown') {
    throw new OAuthError('invalid_grant', 'the refresh token is not good any more', {
      recordedAs: { event: 'oauth_grant_refused' },
    })
  }
  if (answer === 'reused') {
    throw new OAuthError('invalid_grant', 'the refresh token was used before; access has ended', {
      recordedAs: { event: 'oauth_token_reused' },
    })
  }
  return answer
}

/**
 * Whether a used token comes again because its answer was lost: soon, and while its successor has
 * not been used. Whoever holds that successor gives the theft away at its next use, because the
 * retry replaces it.
 */
async function isRetry(tx: Tx, token: TokenRow, now: number): Promise<boolean> {
  if (Date.parse(token.used ?? '') + RETRY_WINDOW_MS < now) return false
  return voidUnusedSuccessor(tx, token, formatInstant(now))
}

/** Uses the token up. Returns its successor, with the same scopes and the same end. */
async function rotate(tx: Tx, token: TokenRow, now: number): Promise<string> {
  if (token.used === null) await consumeRefreshToken(tx, token.hash, formatInstant(now))
  else await deleteIssuedAccessTokens(tx, token)
  const livesMs = Date.parse(token.expires) - now
  return issueRefreshToken(
    tx,
    { id: token.grant_id, scopes: token.scopes },
    { now, livesMs, parent: token.hash },
  )
}
