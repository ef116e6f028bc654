import type { User } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { assertValidPassword } from '../auth/credential-rules.ts'
import { hashPassword } from '../auth/passwords.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db, Tx } from '../db/tables.ts'
import { findUser } from '../instances/store.ts'
import { deleteUserSessions, revokeUserGrants, markUserDisabled, updatePassword } from './store.ts'

/** What becomes of a user. Each throws an Error in words for a person when there is no such user. */

/**
 * Sets a new password. Another person may have known the old one, so all sessions of the user end,
 * and so does what platforms may do because the user approved it, unless `keepGrants`. Returns how
 * many grants were revoked.
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
    return keepGrants ? 0 : revokeUserGrants(tx, user.id, now)
  })
}

/**
 * Disables a user: they can do nothing any more, and neither can a platform that they approved.
 * Returns how many grants were revoked.
 */
export async function disableUser(
  deps: { db: Db; now: () => number },
  email: string,
): Promise<number> {
  const now = formatInstant(deps.now())
  return inTransaction(deps.db, async (tx) => {
    const user = await getUser(tx, email)
    await markUserDisabled(tx, user.id, now)
    await deleteUserSessions(tx, user.id)
    return revokeUserGrants(tx, user.id, now)
  })
}

async function getUser(tx: Tx, email: string): Promise<User> {
  const user = await findUser(tx, email)
  if (!user) throw new Error(`There is no user ${email}`)
  return user
}
