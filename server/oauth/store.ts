import type { ClientRow, CodeRow, GrantRow, Instance, TokenRow } from '../db/rows.ts'
import type { Db, Tx } from '../db/tables.ts'
import { withRowLock } from '../db/row-locks.ts'

/** Clients, grants, codes and tokens. Secrets are known here by their hashes only. */

export async function insertClient(db: Db | Tx, client: ClientRow): Promise<void> {
  await db.insertInto('oauth_clients').values(client).execute()
}

/** A client that has not been disabled. */
export async function findClient(db: Db | Tx, id: string): Promise<ClientRow | undefined> {
  // Ids are ours; other text, which might hold what a database refuses, is not asked for.
  if (!/^oc_[\w-]{1,100}$/.test(id)) return undefined
  return db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('disabled', 'is', null)
    .executeTakeFirst()
}

export async function listClients(db: Db): Promise<ClientRow[]> {
  return db.selectFrom('oauth_clients').selectAll().orderBy('created').orderBy('id').execute()
}

/** False when there is no such client, or it was disabled before. */
export async function markClientDisabled(tx: Tx, id: string, now: string): Promise<boolean> {
  const result = await tx
    .updateTable('oauth_clients')
    .set({ disabled: now })
    .where('id', '=', id)
    .where('disabled', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function insertGrant(tx: Tx, grant: GrantRow): Promise<void> {
  await tx.insertInto('oauth_grants').values(grant).execute()
}

/** A grant that has not been revoked. */
export async function findGrant(tx: Tx, id: string): Promise<GrantRow | undefined> {
  return tx
    .selectFrom('oauth_grants')
    .selectAll()
    .where('id', '=', id)
    .where('revoked', 'is', null)
    .executeTakeFirst()
}

/**
 * Revokes one grant, or every grant of a client or an instance or of the two, and with it every
 * code and token. Answers how many grants.
 */
export async function revokeGrants(
  tx: Tx,
  // Each form names something: an empty one would revoke the grants of everybody.
  of: { id: string } | { client_id: string } | { instance_id: string; client_id?: string },
  now: string,
): Promise<number> {
  const result = await tx
    .updateTable('oauth_grants')
    .set({ revoked: now })
    .where((eb) => eb.and(of))
    .where('revoked', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** A grant as a list shows it. */
export interface GrantSummary {
  client_id: string
  client: string
  user: string
  scope: string
  created: string
}

/** What platforms may do with an instance: its grants that have not been revoked. */
export async function listGrants(db: Db, instanceId: string): Promise<GrantSummary[]> {
  return db
    .selectFrom('oauth_grants as grant')
    .innerJoin('oauth_clients as client', 'client.id', 'grant.client_id')
    .innerJoin('users as user', 'user.id', 'grant.user_id')
    .select(['client.id as client_id', 'client.name as client', 'user.email as user'])
    .select(['grant.scopes as scope', 'grant.created'])
    .where('grant.instance_id', '=', instanceId)
    .where('grant.revoked', 'is', null)
    .orderBy('grant.created')
    .orderBy('grant.id')
    .execute()
}

export async function insertCode(tx: Tx, code: CodeRow): Promise<void> {
  await tx.insertInto('oauth_codes').values(code).execute()
}

/**
 * Uses a code up, in the one statement that also checks it: of several at once, one gets it. What
 * makes the code useless to its bearer after all is judged afterwards, and so burns it.
 */
export async function redeemCode(
  tx: Tx,
  code: { hash: string; clientId: string; now: string },
): Promise<CodeRow | undefined> {
  return tx
    .updateTable('oauth_codes')
    .set({ used: code.now })
    .where('hash', '=', code.hash)
    .where('client_id', '=', code.clientId)
    .where('used', 'is', null)
    .where('expires', '>', code.now)
    .returningAll()
    .executeTakeFirst()
}

/** A code of this client that was used before. */
export async function findUsedCode(
  tx: Tx,
  code: { hash: string; clientId: string },
): Promise<CodeRow | undefined> {
  return tx
    .selectFrom('oauth_codes')
    .selectAll()
    .where('hash', '=', code.hash)
    .where('client_id', '=', code.clientId)
    .where('used', 'is not', null)
    .executeTakeFirst()
}

export async function insertToken(tx: Tx, token: TokenRow): Promise<void> {
  await tx.insertInto('oauth_tokens').values(token).execute()
}

/**
 * Locks the grant of this client's token until the transaction ends.
 */
export async function lockTokenGrant(
  tx: Tx,
  token: { hash: string; clientId: string },
): Promise<void> {
  await tx
    .selectFrom('oauth_grants')
    .select('id')
    .where('client_id', '=', token.clientId)
    .where('id', '=', (eb) =>
      eb.selectFrom('oauth_tokens').select('grant_id').where('hash', '=', token.hash),
    )
    .$call(withRowLock(tx, 'update'))
    .execute()
}

/** Marks a refresh token as exchanged for the next one. */
export async function consumeRefreshToken(tx: Tx, hash: string, now: string): Promise<void> {
  await tx.updateTable('oauth_tokens').set({ used: now }).where('hash', '=', hash).execute()
}

/** Voids the unused successor of a refresh token; false when it has none. */
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

/** Ends the access tokens that were issued for a refresh token. */
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

/** A refresh token of this client that has not expired; of a public client it may be used up. */
export async function findRefreshToken(
  tx: Tx,
  token: { hash: string; clientId: string; now: string },
): Promise<TokenRow | undefined> {
  return tx
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
    .selectAll('oauth_tokens')
    .where('oauth_tokens.hash', '=', token.hash)
    .where('oauth_tokens.kind', '=', 'REFRESH')
    .where('oauth_tokens.expires', '>', token.now)
    .where('oauth_grants.client_id', '=', token.clientId)
    .where('oauth_grants.revoked', 'is', null)
    .executeTakeFirst()
}

/** A token of this client, living or not. */
export async function findToken(
  tx: Tx,
  token: { hash: string; clientId: string },
): Promise<TokenRow | undefined> {
  return tx
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
    .selectAll('oauth_tokens')
    .where('oauth_tokens.hash', '=', token.hash)
    .where('oauth_grants.client_id', '=', token.clientId)
    .executeTakeFirst()
}

export async function deleteToken(tx: Tx, hash: string): Promise<void> {
  await tx.deleteFrom('oauth_tokens').where('hash', '=', hash).execute()
}

/** Whose data an access token opens, and how far. */
export interface AccessTokenContext {
  instance: Instance
  grantId: string
  clientId: string
  userId: string
  scopes: string
}

/**
 * What a living access token opens, by its hash. Grant, client, user and instance are looked at
 * every time, so that whatever of them ends, ends the token with it.
 */
export async function findAccessToken(
  db: Db,
  hash: string,
  now: string,
): Promise<AccessTokenContext | undefined> {
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
  const { token_scopes: scopes, grant_id: grantId, client_id: clientId, user_id: userId } = row
  const { token_scopes: _s, grant_id: _g, client_id: _c, user_id: _u, ...instance } = row
  return { instance, grantId, clientId, userId, scopes }
}

/**
 * Removes tokens that have expired or were used up before `usedBefore`, and those of grants that
 * were revoked.
 */
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

/** Removes codes that expired before `before`. */
export async function deleteExpiredCodes(db: Db, before: string): Promise<void> {
  await db.deleteFrom('oauth_codes').where('expires', '<=', before).execute()
}

/** Removes grants that have neither a token nor a code any more. */
export async function deleteEmptyGrants(db: Db): Promise<void> {
  const parts = ['oauth_tokens', 'oauth_codes'] as const
  await db
    .deleteFrom('oauth_grants')
    .where((eb) =>
      eb.and(
        parts.map((part) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom(part)
                .select('grant_id')
                .whereRef(`${part}.grant_id`, '=', 'oauth_grants.id'),
            ),
          ),
        ),
      ),
    )
    .execute()
}
