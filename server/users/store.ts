import type { Instance } from '../db/tables/instances.ts'
import type { Insertable } from 'kysely'
import { EMAIL_LENGTH_MAX } from '../auth/credential-rules.ts'
import type { User, UserSession, UserSessionsTable } from '../db/tables/users.ts'
import type { Db, Tx } from '../db/tables.ts'
import { withRowLock } from '../db/row-locks.ts'

/** Stores a session, whose start is a use by its user. */
export async function insertSession(
  db: Db | Tx,
  session: Insertable<UserSessionsTable>,
): Promise<void> {
  await db.insertInto('user_sessions').values(session).execute()
  await db
    .updateTable('users')
    .set({ last_seen: session.created })
    .where('id', '=', session.user_id)
    .execute()
}

/**
 * Locks a user who still has this password hash and is not disabled. Returns false for any other, who
 * must not sign in.
 */
export async function lockUnchangedUser(
  tx: Tx,
  { id, password_hash }: Pick<User, 'id' | 'password_hash'>,
): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('disabled', 'is', null)
    .$call(withRowLock(tx, 'share'))
    .executeTakeFirst()
  return user !== undefined
}

type SessionFacts = Pick<UserSession, 'id' | 'created' | 'last_seen' | 'authenticated' | 'factors'>

/**
 * Returns undefined for an expired session, one that was last used before `seenAfter`, and a disabled
 * user. Times are ISO.
 */
export async function findSessionUser(
  db: Db,
  hash: string,
  { now, seenAfter }: { now: string; seenAfter: string },
): Promise<{ user: User; session: SessionFacts } | undefined> {
  const row = await db
    .selectFrom('user_sessions')
    .innerJoin('users', 'users.id', 'user_sessions.user_id')
    .selectAll('users')
    .select([
      'user_sessions.id as session_id',
      'user_sessions.created as started',
      'user_sessions.last_seen as session_seen',
      'user_sessions.authenticated',
      'user_sessions.factors',
    ])
    .where('user_sessions.hash', '=', hash)
    .where('user_sessions.expires', '>', now)
    .where((eb) =>
      eb(eb.fn.coalesce('user_sessions.last_seen', 'user_sessions.created'), '>', seenAfter),
    )
    .where('users.disabled', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const {
    session_id: id,
    started: created,
    session_seen: last_seen,
    authenticated,
    factors,
    ...user
  } = row
  return { user, session: { id, created, last_seen, authenticated, factors } }
}

/** Records the use of a session and of its user. */
export async function touchSession(tx: Tx, hash: string, now: string): Promise<void> {
  const [session] = await tx
    .updateTable('user_sessions')
    .set({ last_seen: now })
    .where('hash', '=', hash)
    .returning('user_id')
    .execute()
  if (!session) return
  await tx.updateTable('users').set({ last_seen: now }).where('id', '=', session.user_id).execute()
}

export async function updateAuthentication(
  tx: Tx,
  hash: string,
  change: { authenticated: string; factors: string },
): Promise<void> {
  await tx.updateTable('user_sessions').set(change).where('hash', '=', hash).execute()
}

export async function deleteSession(tx: Tx, hash: string): Promise<void> {
  await tx.deleteFrom('user_sessions').where('hash', '=', hash).execute()
}

/** Ends the sessions of a user, except the one with the id `keep`, and what is left of their sign-ins. */
export async function deleteUserSessions(tx: Tx, userId: string, keep = ''): Promise<void> {
  await tx
    .deleteFrom('user_sessions')
    .where('user_id', '=', userId)
    .where('id', '!=', keep)
    .execute()
  await tx.deleteFrom('sign_in_steps').where('user_id', '=', userId).execute()
}

export async function deleteExpiredSessions(db: Db, now: string): Promise<void> {
  await db.deleteFrom('user_sessions').where('expires', '<=', now).execute()
  await db.deleteFrom('first_sign_ins').where('expires', '<=', now).execute()
}

export async function updatePassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .execute()
}

/** Writes some columns of a user and the next version. Returns the row as it is then. */
export async function updateUser(tx: Tx, stored: User, change: Partial<User>): Promise<User> {
  const { id, ...columns } = { ...stored, ...change, v: stored.v + 1 }
  await tx.updateTable('users').set(columns).where('id', '=', id).execute()
  return { id, ...columns }
}

export async function listUsers(db: Db) {
  return db
    .selectFrom('users')
    .innerJoin('merchants', 'merchants.id', 'users.merchant_id')
    .select(['users.email', 'merchants.name as merchant', 'users.created', 'users.disabled'])
    .where('users.removed', 'is', null)
    .orderBy('users.created')
    .orderBy('users.id')
    .execute()
}

/** Returns the users of an instance's merchant who are not disabled, oldest first. */
export async function listInstanceUsers(
  db: Db | Tx,
  { merchant_id }: Pick<Instance, 'merchant_id'>,
  limit: number,
): Promise<Pick<User, 'id'>[]> {
  return db
    .selectFrom('users')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('disabled', 'is', null)
    .orderBy('created')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function hasUsers(db: Db | Tx): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function insertFirstUserLink(
  db: Db,
  link: { hash: string; created: string; expires: string },
): Promise<void> {
  await db
    .insertInto('first_sign_ins')
    .values({ ...link, used: null, user_id: null })
    .execute()
}

/** Returns whether the link can create the first user: it is unused, valid, and no user exists. */
export async function isFirstUserLinkOpen(db: Db, hash: string, now: string): Promise<boolean> {
  const link = await db
    .selectFrom('first_sign_ins')
    .select('hash')
    .where('hash', '=', hash)
    .where('user_id', 'is', null)
    .where('used', 'is', null)
    .where('expires', '>', now)
    .executeTakeFirst()
  return link !== undefined && !(await hasUsers(db))
}

/**
 * Marks all open links as used. Returns whether `hash` was among them, so that of two concurrent
 * requests with two links only one creates the first user.
 */
export async function consumeFirstUserLinks(tx: Tx, hash: string, now: string): Promise<boolean> {
  const used = await tx
    .updateTable('first_sign_ins')
    .set({ used: now })
    .where('user_id', 'is', null)
    .where('used', 'is', null)
    .where('expires', '>', now)
    .returning('hash')
    .execute()
  return used.some((link) => link.hash === hash)
}

/** Revokes the OAuth grants that a user approved. Returns their number. */
export async function revokeUserGrants(tx: Tx, userId: string, now: string): Promise<number> {
  const result = await tx
    .updateTable('oauth_grants')
    .set({ revoked: now })
    .where('user_id', '=', userId)
    .where('revoked', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function findUser(db: Db, email: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('email_folded', '=', email.toLowerCase())
    .executeTakeFirst()
}

/** Finds a user by an e-mail of any form. Returns undefined for a disabled one. */
export async function findActiveUser(db: Db, email: string): Promise<User | undefined> {
  if (email.length > EMAIL_LENGTH_MAX || email.includes('\0')) return undefined
  const user = await findUser(db, email)
  // A user who has not accepted the invitation has no password yet.
  return user?.disabled === null && user.password_hash !== '' ? user : undefined
}

export async function findUserById(db: Db, id: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertUser(tx: Tx, user: User): Promise<void> {
  await tx.insertInto('users').values(user).execute()
}
