import type { CodeRow, GrantRow } from '../db/tables/oauth.ts'
import type { Db, Tx } from '../db/tables.ts'
import { withRowLock } from '../db/row-locks.ts'

export async function insertGrant(tx: Tx, grant: GrantRow): Promise<void> {
  await tx.insertInto('oauth_grants').values(grant).execute()
}

/** Finds a grant that is not revoked. */
export async function findGrant(tx: Tx, id: string): Promise<GrantRow | undefined> {
  return tx
    .selectFrom('oauth_grants')
    .selectAll()
    .where('id', '=', id)
    .where('revoked', 'is', null)
    .executeTakeFirst()
}

/**
 * Revokes one grant, or all grants of a client, of an instance, or of both. Codes and tokens of a
 * revoked grant are invalid. Returns the number of grants.
 */
export async function revokeGrants(
  tx: Tx,
  // No member set is empty, because an empty filter would revoke all grants.
  filter: { id: string } | { client_id: string } | { instance_id: string; client_id?: string },
  now: string,
): Promise<number> {
  const result = await tx
    .updateTable('oauth_grants')
    .set({ revoked: now })
    .where((eb) => eb.and(filter))
    .where('revoked', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Lists an instance's grants that are not revoked, oldest first. */
export async function listGrants(db: Db, instanceId: string) {
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
 * Marks a valid code as used and returns it. The check and the update are one statement, so only one
 * of several concurrent calls succeeds.
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

/** Finds a used code of this client. */
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

/** Deletes codes that expired before `before`. */
export async function deleteExpiredCodes(db: Db, before: string): Promise<void> {
  await db.deleteFrom('oauth_codes').where('expires', '<=', before).execute()
}

/** Deletes grants that have neither a token nor a code. */
export async function deleteEmptyGrants(db: Db): Promise<void> {
  const tables = ['oauth_tokens', 'oauth_codes'] as const
  await db
    .deleteFrom('oauth_grants')
    .where((eb) =>
      eb.and(
        tables.map((table) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom(table)
                .select('grant_id')
                .whereRef(`${table}.grant_id`, '=', 'oauth_grants.id'),
            ),
          ),
        ),
      ),
    )
    .execute()
}
