import { formatInstant } from '../../shared/rules/time.ts'
import { checkPassword } from '../auth/choose.ts'
import { hashPassword } from '../auth/passwords.ts'
import { inTransaction } from '../db/tx.ts'
import type { Db, Tx } from '../db/tables.ts'
import { findUser } from '../instances/store.ts'
import type { User } from '../instances/store.ts'
import { deleteSessionsOf, endGrantsOf, markUserDisabled, updatePassword } from './store.ts'

/** What becomes of a user. Each throws an Error in words for a person when there is no such user. */

/** A new password. Whoever knew the old one may be signed in with it, so all sessions end. */
export async function changePassword(
  deps: { db: Db },
  email: string,
  password: string,
): Promise<void> {
  await checkPassword({ email, password })
  const passwordHash = await hashPassword(password)
  await inTransaction(deps.db, async (tx) => {
    const user = await getUser(tx, email)
    await updatePassword(tx, user.id, passwordHash)
    await deleteSessionsOf(tx, user.id)
  })
}

/** The user can do nothing any more, and neither can a platform that they approved (rule 13). */
export async function disableUser(
  deps: { db: Db; now: () => number },
  email: string,
): Promise<void> {
  const now = formatInstant(deps.now())
  await inTransaction(deps.db, async (tx) => {
    const user = await getUser(tx, email)
    await markUserDisabled(tx, user.id, now)
    await deleteSessionsOf(tx, user.id)
    await endGrantsOf(tx, user.id, now)
  })
}

async function getUser(tx: Tx, email: string): Promise<User> {
  const user = await findUser(tx, email)
  if (!user) throw new Error(`There is no user ${email}`)
  return user
}
