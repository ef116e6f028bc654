import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/tx.ts'
import type { Deps } from '../deps.ts'
import { OAuthFailure } from './failure.ts'
import { issueAccess } from './issue.ts'
import type { AccessAnswer } from './issue.ts'
import { scopesWithin } from './scopes.ts'
import { findRefreshToken } from './store.ts'
import type { ClientRow } from './store.ts'

/**
 * A refresh token for one more access token (RFC 6749 section 6). The refresh token stays, and so
 * do earlier access tokens until they expire: a platform that loses our answer has lost nothing.
 */
export async function refreshAccess(
  deps: Deps,
  client: ClientRow,
  given: { refreshToken: string; scope: string | undefined },
): Promise<AccessAnswer> {
  const now = deps.now()
  return inTransaction(deps.db, async (tx) => {
    const token = await findRefreshToken(tx, {
      hash: hashSecret(given.refreshToken),
      clientId: client.id,
      now: formatInstant(now),
    })
    if (!token) throw new OAuthFailure('invalid_grant', 'the refresh token is not good any more')
    const scopes = scopesWithin(given.scope, token.scopes)
    if (scopes === undefined) {
      throw new OAuthFailure('invalid_scope', 'scope goes beyond what was approved')
    }
    return issueAccess(tx, { id: token.grant_id, scopes }, now)
  })
}
