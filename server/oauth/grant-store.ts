import { OAUTH_GRANT_ID } from '../../shared/rules/ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { AuditDetail } from '../../shared/schemas/audit.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { lookup } from '../db/lookup.ts'
import { withRowLock } from '../db/row-locks.ts'
import type { ClientRow, CodeRow, GrantRow } from '../db/tables/oauth.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'

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

/** Who ends grants, and when in epoch milliseconds of the real clock. */
interface Ending {
  by: AuditActor
  at: number
  detail?: AuditDetail
}

/**
 * Revokes one grant, or all grants of a client, of an instance, or of both, and writes each into the audit
 * log. Codes and tokens of a revoked grant are invalid. Returns the number of grants.
 */
export async function endGrants(
  tx: Tx,
  // No member set is empty, because an empty filter would revoke all grants.
  filter: { id: string } | { client_id: string } | { instance_id: string; client_id?: string },
  { by, at, detail = {} }: Ending,
): Promise<number> {
  const ended = await tx
    .updateTable('oauth_grants')
    .set({ revoked: formatInstant(at) })
    .where((eb) => eb.and(filter))
    .where('revoked', 'is', null)
    .returning(['id', 'instance_id', 'client_id', 'user_id'])
    .execute()
  for (const { id, instance_id, client_id, user_id } of ended) {
    await recordAudit(tx, {
      at,
      by,
      of: { instance: instance_id },
      action: 'grant.ended',
      about: id,
      detail: { client: client_id, user: user_id, ...detail },
    })
  }
  return ended.length
}

/** The end of a grant whose code or token was used a second time: one of the two users stole it. */
export function reuseBy({ id }: Pick<ClientRow, 'id'>, at: number): Ending {
  return { by: { type: 'OAUTH', client: id }, at, detail: { reused: true } }
}

/** Throws a 404 ApiError when the instance does not have the grant. */
export const getGrant = lookup(
  'Grant',
  OAUTH_GRANT_ID,
  (db, instanceId, id): Promise<GrantRow | undefined> =>
    db
      .selectFrom('oauth_grants')
      .selectAll()
      .where('id', '=', id)
      .where('instance_id', '=', instanceId)
      .executeTakeFirst(),
)

/** A grant with the names of the platform and of the user. */
export interface GrantSummary extends GrantRow {
  client: string
  user: string
}

/** Returns a page of an instance's grants that are not revoked. */
export function readGrants(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<GrantSummary>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('oauth_grants')
      .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
      .innerJoin('users', 'users.id', 'oauth_grants.user_id')
      .selectAll('oauth_grants')
      .select(['oauth_clients.name as client', 'users.email as user'])
      .where('oauth_grants.instance_id', '=', instanceId)
      .where('oauth_grants.revoked', 'is', null)
      .where(list.where),
  )
}

/** Sets the last use of a grant unless it is later than `before`. Both are ISO times. */
export async function touchGrant(
  db: Db,
  id: string,
  at: { now: string; before: string },
): Promise<void> {
  await db
    .updateTable('oauth_grants')
    .set({ last_used: at.now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used', 'is', null), eb('last_used', '<=', at.before)]))
    .execute()
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
