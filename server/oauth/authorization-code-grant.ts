import { createHash, timingSafeEqual } from 'node:crypto'
import type { ClientRow, CodeRow } from '../db/rows.ts'
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
import { findGrant, findUsedCode, revokeGrants, redeemCode } from './store.ts'

export interface AuthorizationCodeRequest {
  code: string
  redirectUrl: string | undefined
  verifier: string | undefined
}

/**
 * A code for tokens (RFC 6749 section 4.1.3).
 *
 * The code is used up before anything else about it is judged: a wrong guess of the address or the
 * verifier burns it, and of twenty exchanges at once one gets tokens. A code that comes a second
 * time was stolen by one of the two, so everything that came of it ends (section 4.1.2).
 */
export async function authorizationCodeGrant(
  deps: Deps,
  client: ClientRow,
  given: AuthorizationCodeRequest,
): Promise<TokenResponse & { refresh_token: string }> {
  const now = deps.now()
  const named = { hash: hashSecret(given.code), clientId: client.id, now: formatInstant(now) }
  // Refusing by an exception inside would undo the very use that the refusal is about.
  const tokens = await inTransaction(deps.db, async (tx) => {
    const code = await redeemCode(tx, named)
    if (!code) return (await endReplayed(tx, named)) ? 'reused' : undefined
    const grant = await findGrant(tx, code.grant_id)
    if (!grant || !isFor(code, given)) return undefined
    const { access_token, ...rest } = await issueAccessToken(tx, grant, now)
    const livesMs = refreshTokenLifetimeMs(deps.config)
    const refresh_token = await issueRefreshToken(tx, grant, { now, livesMs })
    deps.failpoint('tokens-issued')
    return { access_token, refresh_token, ...rest }
  })
  deps.failpoint('tokens-stored')
  if (tokens === undefined || tokens === 'reused') {
    throw new OAuthError('invalid_grant', 'the code is not good for this request', {
      recordedAs: { event: tokens === 'reused' ? 'oauth_code_reused' : 'oauth_grant_refused' },
    })
  }
  return tokens
}

/** Revokes what came of a code that was used before; false when it was not. */
async function endReplayed(
  tx: Tx,
  named: { hash: string; clientId: string; now: string },
): Promise<boolean> {
  const used = await findUsedCode(tx, named)
  if (used) await revokeGrants(tx, { id: used.grant_id }, named.now)
  return used !== undefined
}

function isFor(code: CodeRow, { redirectUrl, verifier }: AuthorizationCodeRequest): boolean {
  return redirectUrl === code.redirect_url && proves(verifier, code.challenge)
}

/**
 * PKCE (RFC 7636 section 4.6). A verifier for a code without a challenge is refused as well: the
 * client meant the code to be protected, so somebody took the challenge away (RFC 9700 4.8.2).
 */
function proves(verifier: string | undefined, challenge: string | null): boolean {
  if (verifier === undefined || challenge === null) {
    return verifier === undefined && challenge === null
  }
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const actual = createHash('sha256').update(verifier).digest('base64url')
  return timingSafeEqual(Buffer.from(actual), Buffer.from(challenge))
}
