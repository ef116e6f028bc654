import type { User } from '../db/tables/users.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { hashPassword } from '../auth/passwords.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { addUser } from './create.ts'
import {
  hasUsers,
  insertFirstUserLink,
  isFirstUserLinkOpen,
  consumeFirstUserLinks,
} from './store.ts'
import { findFirstMerchant } from '../instances/merchants.ts'

const LINK_LIFETIME_MS = 24 * 60 * 60_000

/**
 * Creates a one-time link at which the first user of this server chooses their credentials. Returns
 * its URL, which is not stored, or undefined when a user exists.
 */
export async function createFirstUserLink(
  deps: Pick<Deps, 'db' | 'now' | 'config'>,
): Promise<string | undefined> {
  if (await hasUsers(deps.db)) return undefined
  const token = newSecret('si')
  const now = deps.now()
  await insertFirstUserLink(deps.db, {
    hash: hashSecret(token),
    created: formatInstant(now),
    expires: formatInstant(now + LINK_LIFETIME_MS),
  })
  return `${deps.config.consoleUrl}/sign-in/first/${token}`
}

/**
 * Creates the first user, for the oldest merchant, and consumes the link. Returns undefined when the
 * link is not open: of several concurrent calls, one succeeds.
 */
export async function createFirstUser(
  deps: Pick<Deps, 'db' | 'now'>,
  token: string,
  { email, password }: { email: string; password: string },
): Promise<User | undefined> {
  const now = deps.now()
  // Checked before the password is hashed, so that requests with invented tokens stay cheap.
  if (!(await isFirstUserLinkOpen(deps.db, hashSecret(token), formatInstant(now)))) return undefined
  const passwordHash = await hashPassword(password)
  return inTransaction(deps.db, async (tx) => {
    const isConsumed = await consumeFirstUserLinks(tx, hashSecret(token), formatInstant(now))
    const merchantId = await findFirstMerchant(tx)
    if (!isConsumed || merchantId === undefined || (await hasUsers(tx))) return undefined
    const user = await addUser(tx, merchantId, { email, passwordHash, now })
    await recordAudit(tx, {
      at: now,
      by: { type: 'USER', user: user.id },
      of: user,
      action: 'user.created',
      about: user.id,
      detail: { role: user.role },
    })
    return user
  })
}
