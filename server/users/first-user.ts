import type { User } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashPassword } from '../auth/passwords.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { insertUser } from '../instances/store.ts'
import {
  findFirstMerchantId,
  hasUsers,
  insertFirstUserLink,
  isFirstUserLinkOpen,
  consumeFirstUserLinks,
} from './store.ts'

/**
 * The first user of a server. Nobody can sign in yet who could make one, so whoever started the
 * program is given a link: once, for a day, and only while there is no user at all.
 */

const OPEN_MS = 24 * 60 * 60_000

/** The address of a new link, or undefined when a user exists. It cannot be read again. */
export async function createFirstUserLink(
  deps: Pick<Deps, 'db' | 'now' | 'config'>,
): Promise<string | undefined> {
  if (await hasUsers(deps.db)) return undefined
  const token = newSecret('si')
  const now = deps.now()
  await insertFirstUserLink(deps.db, {
    hash: hashSecret(token),
    created: formatInstant(now),
    expires: formatInstant(now + OPEN_MS),
  })
  return `${deps.config.baseUrl}/sign-in/first/${token}`
}

/**
 * Makes the first user, of the merchant that was there first, and uses the link up. Undefined when
 * the link is not open any more, which of several tries at once is so for all but one.
 */
export async function createFirstUser(
  deps: Pick<Deps, 'db' | 'now'>,
  token: string,
  chosen: { email: string; password: string },
): Promise<User | undefined> {
  const now = deps.now()
  // Looked at before the password, since anybody can send a link of their own making: it costs
  // nothing then, and uses no good link up.
  if (!(await isFirstUserLinkOpen(deps.db, hashSecret(token), formatInstant(now)))) return undefined
  const passwordHash = await hashPassword(chosen.password)
  return inTransaction(deps.db, async (tx) => {
    const taken = await consumeFirstUserLinks(tx, hashSecret(token), formatInstant(now))
    const merchantId = await findFirstMerchantId(tx)
    if (!taken || merchantId === undefined || (await hasUsers(tx))) return undefined
    const user: User = {
      id: newId('usr', now),
      merchant_id: merchantId,
      email: chosen.email,
      email_folded: chosen.email.toLowerCase(),
      password_hash: passwordHash,
      created: formatInstant(now),
      disabled: null,
    }
    await insertUser(tx, user)
    return user
  })
}
