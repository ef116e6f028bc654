import type { TokenRow } from '../db/tables/oauth.ts'
import type { Db, Tx } from '../db/tables.ts'

export async function insertToken(tx: Tx, token: TokenRow): Promise<void> {
  await tx.insertInto('oauth_tokens').values(token).execute()
}

/** Marks a refresh token as used. */
export async function consumeRefreshToken(tx: Tx, hash: string, now: string): Promise<void> {
  await tx.updateTable('oauth_tokens').set({ used: now }).where('hash', '=', hash).execute()
}

/** Marks the unused successor of a refresh token as used. Returns false when there is none. */
export async function voidUnusedSuccessor(
  tx: Tx,
  token: Pick<TokenRow, 'hash' | 'grant_id'>,
  now: string,
): Promise<boolean> {
  const result = await tx
    .updateTable('oauth_tokens')
    .set({ used: now })
    .where('grant_id', '=', token.grant_id)
    .where('parent', '=', token.hash)
    .where('kind', '=', 'REFRESH')
    .where('used', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Deletes the access tokens that were issued for a refresh token. */
export async function deleteIssuedAccessTokens(
  tx: Tx,
  token: Pick<TokenRow, 'hash' | 'grant_id'>,
): Promise<void> {
  await tx
    .deleteFrom('oauth_tokens')
    .where('grant_id', '=', token.grant_id)
    .where('parent', '=', token.hash)
    .where('kind', '=', 'ACCESS')
    .execute()
}

interface TokenKey {
  hash: string
  clientId: string
}

/** Finds a valid refresh token of this client. That of a public client may be used already. */
export async function findRefreshToken(
  tx: Tx,
  token: TokenKey & { now: string },
): Promise<TokenRow | undefined> {
  return selectToken(tx, token)
    .where('oauth_tokens.kind', '=', 'REFRESH')
    .where('oauth_tokens.expires', '>', token.now)
    .where('oauth_grants.revoked', 'is', null)
    .executeTakeFirst()
}

/** Finds a token of this client, including expired and used ones. */
export async function findToken(tx: Tx, token: TokenKey): Promise<TokenRow | undefined> {
  return selectToken(tx, token).executeTakeFirst()
}

function selectToken(tx: Tx, { hash, clientId }: TokenKey) {
  return tx
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
    .selectAll('oauth_tokens')
    .where('oauth_tokens.hash', '=', hash)
    .where('oauth_grants.client_id', '=', clientId)
}

export async function deleteToken(tx: Tx, hash: string): Promise<void> {
  await tx.deleteFrom('oauth_tokens').where('hash', '=', hash).execute()
}

/**
 * Finds a valid access token. The query also checks its grant, client, user and instance, so that
 * disabling or revoking one of them takes effect at once.
 */
export async function findAccessToken(db: Db, hash: string, now: string) {
  const row = await db
    .selectFrom('oauth_tokens as token')
    .innerJoin('oauth_grants as grant', 'grant.id', 'token.grant_id')
    .innerJoin('oauth_clients as client', 'client.id', 'grant.client_id')
    .innerJoin('users as user', 'user.id', 'grant.user_id')
    .innerJoin('instances', 'instances.id', 'grant.instance_id')
    .selectAll('instances')
    .select([
      'token.scopes as token_scopes',
      'grant.id as grant_id',
      'client.id as client_id',
      'user.id as user_id',
      'user.role as user_role',
    ])
    .where('token.hash', '=', hash)
    .where('token.kind', '=', 'ACCESS')
    .where('token.expires', '>', now)
    .where('grant.revoked', 'is', null)
    .where('client.disabled', 'is', null)
    .where('user.disabled', 'is', null)
    .where('instances.disabled', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const {
    token_scopes: scopes,
    grant_id: grantId,
    client_id: clientId,
    user_id: userId,
    user_role: role,
    ...instance
  } = row
  return { instance, grantId, clientId, userId, role, scopes }
}

/** Deletes expired tokens, tokens used before `usedBefore`, and tokens of revoked grants. */
export async function deleteDeadTokens(
  db: Db,
  { now, usedBefore }: { now: string; usedBefore: string },
): Promise<void> {
  await db
    .deleteFrom('oauth_tokens')
    .where((eb) =>
      eb.or([
        eb('expires', '<=', now),
        eb('used', '<=', usedBefore),
        eb('grant_id', 'in', (eb) =>
          eb.selectFrom('oauth_grants').select('id').where('revoked', 'is not', null),
        ),
      ]),
    )
    .execute()
}
