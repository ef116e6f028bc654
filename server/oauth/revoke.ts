import type { ClientRow } from '../db/tables/oauth.ts'
import { hashSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { deleteToken, findToken } from './token-store.ts'
import { endGrants } from './grant-store.ts'

/**
 * Revokes a token (RFC 7009). A refresh token revokes its whole grant; an access token is revoked
 * alone. An unknown token and a token of another client change nothing.
 */
export async function revokeToken(deps: Deps, client: ClientRow, token: string): Promise<void> {
  const key = { hash: hashSecret(token), clientId: client.id }
  await inTransaction(deps.db, async (tx) => {
    const stored = await findToken(tx, key)
    if (stored?.kind === 'ACCESS') await deleteToken(tx, key.hash)
    if (stored?.kind === 'REFRESH') {
      const by = { type: 'OAUTH', client: client.id } as const
      await endGrants(tx, { id: stored.grant_id }, { by, at: deps.now() })
    }
  })
}
