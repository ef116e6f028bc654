import { createHash, timingSafeEqual } from 'node:crypto'
import type { ClientRow, CodeRow } from '../db/tables/oauth.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { OAuthError } from './oauth-error.ts'
import {
  type TokenResponse,
  issueAccessToken,
  issueRefreshToken,
  refreshTokenLifetimeMs,
} from './issue-tokens.ts'
import { endGrants, findGrant, findUsedCode, redeemCode, reuseBy } from './grant-store.ts'

export interface AuthorizationCodeRequest {
  code: string
  redirectUrl: string | undefined
  verifier: string | undefined
}

/**
 * Exchanges an authorization code for tokens (RFC 6749 section 4.1.3).
 *
 * The code is marked as used before the redirect URL and the verifier are checked, so a wrong guess
 * consumes it, and of concurrent exchanges only one succeeds. A second use revokes the grant and its
 * tokens (section 4.1.2).
 *
 * Throws OAuthError `invalid_grant`.
 */
export async function authorizationCodeGrant(
  deps: Deps,
  client: ClientRow,
  request: AuthorizationCodeRequest,
): Promise<TokenResponse & { refresh_token: string }> {
  const now = deps.now()
  const key = { hash: hashSecret(request.code), clientId: client.id, now: formatInstant(now) }
  // Errors are thrown after the transaction, or it would roll back the use of the code.
  const tokens = await inTransaction(deps.db, async (tx) => {
    const code = await redeemCode(tx, key)
    if (!code) return (await endReplayed(tx, client, key, now)) ? 'reused' : undefined
    const grant = await findGrant(tx, code.grant_id)
    if (!grant || !matchesCode(request, code)) return undefined
    const { access_token, ...rest } = await issueAccessToken(tx, grant, now)
    const lifetimeMs = refreshTokenLifetimeMs(deps.config)
    const refresh_token = await issueRefreshToken(tx, grant, { now, lifetimeMs })
    deps.failpoint('tokens-issued')
    return { access_token, refresh_token, ...rest }
  })
  deps.failpoint('tokens-stored')
  if (tokens === undefined || tokens === 'reused') {
    throw new OAuthError(
      'invalid_grant',
      'the code is invalid, expired, or was issued for another request',
      {
        recordedAs: { event: tokens === 'reused' ? 'oauth_code_reused' : 'oauth_grant_refused' },
      },
    )
  }
  return tokens
}

/** Revokes the grant of a code that was used before. Returns false when it was not used. */
async function endReplayed(
  tx: Tx,
  client: ClientRow,
  key: { hash: string; clientId: string },
  now: number,
): Promise<boolean> {
  const used = await findUsedCode(tx, key)
  if (used) await endGrants(tx, { id: used.grant_id }, reuseBy(client, now))
  return used !== undefined
}

function matchesCode({ redirectUrl, verifier }: AuthorizationCodeRequest, code: CodeRow): boolean {
  return redirectUrl === code.redirect_url && matchesChallenge(verifier, code.challenge)
}

/**
 * Verifies PKCE (RFC 7636 section 4.6). A verifier for a code without a challenge is rejected as well,
 * because an attacker may have removed the challenge (RFC 9700 section 4.8.2).
 */
function matchesChallenge(verifier: string | undefined, challenge: string | null): boolean {
  if (verifier === undefined || challenge === null) {
    return verifier === undefined && challenge === null
  }
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const actual = createHash('sha256').update(verifier).digest('base64url')
  return timingSafeEqual(Buffer.from(actual), Buffer.from(challenge))
}
