import type { User } from '../db/tables/users.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { commandLineActor } from '../audit/command-line-actor.ts'
import { type Audited, recordAudit } from '../audit/record-audit.ts'
import { assertValidPassword, passwordError } from '../auth/credential-rules.ts'
import { hashPassword } from '../auth/passwords.ts'
import { invalid } from '../errors.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db, Tx } from '../db/tables.ts'
import { isFullOwner, lockUsers, requireOwnerBesides } from './owners.ts'
import {
  deleteUserSessions,
  findUser,
  revokeUserGrants,
  updatePassword,
  updateUser,
} from './store.ts'

/**
 * Sets a new password. The old one may have leaked, so all sessions of the user end, and so do the
 * OAuth grants that the user approved, unless `keepGrants` is set. Returns the number of revoked
 * grants. Throws an Error for an unknown user or a password that breaks a rule.
 */
export async function changePassword(
  deps: { db: Db; now: () => number },
  email: string,
  password: string,
  { keepGrants = false }: { keepGrants?: boolean } = {},
): Promise<number> {
  await assertValidPassword({ email, password })
  const passwordHash = await hashPassword(password)
  const now = formatInstant(deps.now())
  return inTransaction(deps.db, async (tx) => {
    const user = await getUser(tx, email)
    await updatePassword(tx, user.id, passwordHash)
    await deleteUserSessions(tx, user.id)
    const grants_revoked = keepGrants ? 0 : await revokeUserGrants(tx, user.id, now)
    await auditByOperator(tx, deps, user, {
      action: 'password.changed',
      detail: { grants_revoked },
    })
    return grants_revoked
  })
}

/**
 * Sets the password that a signed-in user chose. Ends their other sessions: `keep` is the id of the one
 * that goes on. Returns the number of revoked grants. Throws a 400 ApiError for a password that breaks a
 * rule.
 */
export async function changeOwnPassword(
  deps: { db: Db; now: () => number },
  { id, email }: Pick<User, 'id' | 'email'>,
  password: string,
  { keep, revokeGrants, ip }: { keep: string; revokeGrants: boolean; ip: string | undefined },
): Promise<number> {
  const error = await passwordError(password, email)
  if (error) throw invalid('password.new', error.rule)
  const passwordHash = await hashPassword(password)
  return inTransaction(deps.db, async (tx) => {
    await updatePassword(tx, id, passwordHash)
    await deleteUserSessions(tx, id, keep)
    const at = deps.now()
    const grants_revoked = revokeGrants ? await revokeUserGrants(tx, id, formatInstant(at)) : 0
    await recordAudit(tx, {
      at,
      by: { type: 'USER', user: id, ip },
      of: { user: id },
      action: 'password.changed',
      about: id,
      detail: { grants_revoked },
    })
    return grants_revoked
  })
}

/**
 * Disables a user, ends their sessions and revokes the OAuth grants that they approved. Returns the
 * number of revoked grants. Throws an Error for an unknown user and for the last owner of a merchant.
 */
export async function disableUser(
  deps: { db: Db; now: () => number },
  email: string,
): Promise<number> {
  const now = formatInstant(deps.now())
  return inTransaction(deps.db, async (tx) => {
    await lockUsers(tx, (await getUser(tx, email)).merchant_id)
    const user = await getUser(tx, email)
    if (isFullOwner(user)) await requireOwnerBesides(tx, user)
    await updateUser(tx, user, { disabled: now })
    const grants_revoked = await endAccess(tx, user.id, now)
    await auditByOperator(tx, deps, user, { action: 'user.disabled', detail: { grants_revoked } })
    return grants_revoked
  })
}

/** Ends the sessions of a user and revokes the grants that they approved. Returns the number of grants. */
export async function endAccess(tx: Tx, userId: string, now: string): Promise<number> {
  await deleteUserSessions(tx, userId)
  return revokeUserGrants(tx, userId, now)
}

/** Writes what an operator does to a user into the audit log. */
export async function auditByOperator(
  tx: Tx,
  { now }: { now: () => number },
  { id, merchant_id }: Pick<User, 'id' | 'merchant_id'>,
  entry: Pick<Audited, 'action' | 'detail'>,
): Promise<void> {
  const by = commandLineActor()
  await recordAudit(tx, { at: now(), by, of: { merchant_id }, about: id, ...entry })
}

/** Throws an Error for an unknown user. */
export async function getUser(tx: Tx, email: string): Promise<User> {
  const user = await findUser(tx, email)
  if (!user) throw new Error(`User ${email} does not exist`)
  return user
}
