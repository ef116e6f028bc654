import { formatInstant } from '../../shared/rules/time.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { hashPassword } from '../auth/passwords.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { User } from '../db/tables/users.ts'
import type { Db, Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { endAccess } from './change.ts'
import { lockUsers } from './owners.ts'
import { findUserById, updateUser } from './store.ts'

/** How long an invitation is open. */
const INVITATION_MS = 7 * 86_400_000

/**
 * Opens an invitation, at whose links the user chooses a password. The links of an earlier one stop to
 * work. `now` is epoch milliseconds of real time.
 */
export async function openInvitation(tx: Tx, user: User, now: number): Promise<User> {
  await deleteInvitationLinks(tx, user.id)
  return updateUser(tx, user, {
    invitation: newId('inv', now),
    invitation_expires: formatInstant(now + INVITATION_MS),
  })
}

/** The columns of a user whose invitation is closed. */
export const NO_INVITATION = { invitation: null, invitation_expires: null } as const

export async function deleteInvitationLinks(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('first_sign_ins').where('user_id', '=', userId).execute()
}

/**
 * Makes a link of the user's open invitation. Returns its URL, which is not stored. An invitation may
 * have several links, because a mail that is sent again has another one; the first that is used closes
 * all of them.
 */
export async function createInvitationLink(
  { db, config, realNow }: Pick<Deps, 'db' | 'config' | 'realNow'>,
  { id, invitation_expires: expires }: Pick<User, 'id' | 'invitation_expires'>,
): Promise<string> {
  const token = newSecret('iv')
  const link = {
    hash: hashSecret(token),
    created: formatInstant(realNow()),
    used: null,
    user_id: id,
  }
  await inTransaction(db, (tx) =>
    tx
      .insertInto('first_sign_ins')
      .values({ ...link, expires: expires ?? link.created })
      .execute(),
  )
  return `${config.consoleUrl}/sign-in/invitation/${token}`
}

/** Returns the user of a link that is open; undefined for any other token. */
export async function findInvitedUser(
  db: Db | Tx,
  token: string,
  now: number,
): Promise<User | undefined> {
  const link = await db
    .selectFrom('first_sign_ins')
    .select('user_id')
    .where('hash', '=', hashSecret(token))
    .where('used', 'is', null)
    .where('expires', '>', formatInstant(now))
    .executeTakeFirst()
  if (link?.user_id == null) return undefined
  const user = await findUserById(db, link.user_id)
  return user?.disabled === null && user.invitation !== null ? user : undefined
}

/**
 * Sets the password that an invited user chose and closes the invitation. The old password may have
 * leaked, so sessions end and grants are revoked. Returns undefined when the link is not open: of several
 * concurrent calls, one succeeds. `ip` is the address that the audit log names.
 */
export async function acceptInvitation(
  { db, realNow }: Pick<Deps, 'db' | 'realNow'>,
  token: string,
  password: string,
  ip?: string,
): Promise<User | undefined> {
  const passwordHash = await hashPassword(password)
  const now = realNow()
  return inTransaction(db, async (tx) => {
    const invited = await findInvitedUser(tx, token, now)
    if (!invited) return undefined
    await lockUsers(tx, invited.merchant_id)
    const user = await findInvitedUser(tx, token, now)
    if (!user) return undefined
    await deleteInvitationLinks(tx, user.id)
    await endAccess(tx, user.id, formatInstant(now))
    await recordAudit(tx, {
      at: now,
      by: { type: 'USER', user: user.id, ip },
      of: user,
      action: 'invitation.accepted',
      about: user.id,
    })
    return updateUser(tx, user, { password_hash: passwordHash, ...NO_INVITATION })
  })
}
