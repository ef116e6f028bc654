import type { ClientRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { deleteToken, findToken, revokeGrants } from './store.ts'

/**
 * Ends a token (RFC 7009): a refresh token together with all that came of its grant, an access
 * token alone. A token that is unknown, dead or somebody else's is none of the client's business
 * and changes nothing. What kind it is we know ourselves, so the hint about it is not needed.
 */
export async function revokeToken(deps: Deps, client: ClientRow, token: string): Promise<void> {
  const named = { hash: hashSecret(token), clientId: client.id }
  await inTransaction(deps.db, async (tx) => {
    const found = await findToken(tx, named)
    if (found?.kind === 'ACCESS') await deleteToken(tx, named.hash)
    if (found?.kind === 'REFRESH') {
      await revokeGrants(tx, { id: found.grant_id }, formatInstant(deps.now()))
    }
  })
}
