import { type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { USER_ID, USER_SESSION_ID } from '../../shared/rules/ids.ts'
import { fromJson } from '../db/json.ts'
import type { User, UserSession } from '../db/tables/users.ts'
import type { Db, Tables, Tx } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { notFound } from '../errors.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import type { Viewer } from './caller.ts'

/** The users of the merchant who can open an instance that the viewer can open. */
function isVisible({ instanceId, reach }: Viewer) {
  return (eb: ExpressionBuilder<Tables, 'users'>): Expression<SqlBool> => {
    const ofMerchant = eb.and([
      eb('users.merchant_id', '=', (sub) =>
        sub.selectFrom('instances').select('merchant_id').where('instances.id', '=', instanceId),
      ),
      eb('users.removed', 'is', null),
    ])
    if (reach === null) return ofMerchant
    const opens = reach.map((id) => eb('users.instances', 'like', `%"${id}"%`))
    return eb.and([ofMerchant, eb.or([eb('users.instances', 'is', null), ...opens])])
  }
}

/** Returns a page of the users that a viewer sees. */
export function readUsers(turn: ListTurn, viewer: Viewer, list: ListQuery): Promise<Page<User>> {
  return readPage(turn, list, (db) =>
    db.selectFrom('users').selectAll('users').where(isVisible(viewer)).where(list.where),
  )
}

/** Throws a 404 ApiError for a user that the viewer does not see. */
export async function getUser(db: Db | Tx, viewer: Viewer, id: string): Promise<User> {
  const user = USER_ID.test(id)
    ? await db
        .selectFrom('users')
        .selectAll('users')
        .where('users.id', '=', id)
        .where(isVisible(viewer))
        .executeTakeFirst()
    : undefined
  if (!user) throw notFound('User')
  return user
}

export async function countUsers(tx: Tx, merchantId: string): Promise<number> {
  const { total } = await tx
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('merchant_id', '=', merchantId)
    .where('removed', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Returns the ids and keys of a merchant's instances, also of disabled ones. */
export async function listInstanceKeys(
  db: Db | Tx,
  merchantId: string,
): Promise<{ id: string; key: string }[]> {
  return db
    .selectFrom('instances')
    .select(['id', 'key'])
    .where('merchant_id', '=', merchantId)
    .execute()
}

/** Returns the kinds of second factors of some users. */
export async function listFactorKinds(db: Db | Tx, userIds: readonly string[]) {
  if (userIds.length === 0) return []
  return db
    .selectFrom('user_factors')
    .select(['user_id', 'kind'])
    .distinct()
    .where('user_id', 'in', userIds)
    .where('confirmed', 'is not', null)
    .orderBy('kind')
    .execute()
}

/** When sessions end: their own expiry, and the idle time before `seenAfter`. Times are ISO. */
export interface SessionsAt {
  now: string
  seenAfter: string
}

/** Whose sessions: those of one user, or of all that the viewer sees. */
export interface SessionsOf {
  viewer: Viewer
  /** Undefined for all. */
  userId: string | undefined
}

function liveSessions(db: Db, { viewer, userId }: SessionsOf, { now, seenAfter }: SessionsAt) {
  return db
    .selectFrom('user_sessions')
    .innerJoin('users', 'users.id', 'user_sessions.user_id')
    .selectAll('user_sessions')
    .where(isVisible(viewer))
    .$if(userId !== undefined, (query) => query.where('users.id', '=', userId ?? ''))
    .where('user_sessions.expires', '>', now)
    .where((eb) =>
      eb(eb.fn.coalesce('user_sessions.last_seen', 'user_sessions.created'), '>', seenAfter),
    )
}

/** Returns a page of sessions that have not ended. */
export function readUserSessions(
  turn: ListTurn,
  whose: SessionsOf,
  at: SessionsAt,
  list: ListQuery,
): Promise<Page<UserSession>> {
  return readPage(turn, list, (db) => liveSessions(db, whose, at).where(list.where))
}

/** Throws a 404 ApiError for a session that has ended or that the caller does not see. */
export async function getUserSession(
  db: Db,
  whose: SessionsOf,
  at: SessionsAt,
  id: string,
): Promise<UserSession> {
  const session = USER_SESSION_ID.test(id)
    ? await liveSessions(db, whose, at).where('user_sessions.id', '=', id).executeTakeFirst()
    : undefined
  if (!session) throw notFound('User session')
  return session
}

/** Returns the instances of a user as ids; null for all. */
export function instanceIds({ instances }: Pick<User, 'instances'>): string[] | null {
  return fromJson<string[]>(instances)
}
