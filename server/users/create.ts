import { checkChosen } from '../auth/credential-rules.ts'
import { hashPassword } from '../auth/passwords.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db, Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { findUser, insertUser } from './store.ts'
import { findFirstMerchant, findMerchant } from '../instances/merchants.ts'

/**
 * Makes a user of a merchant: of the first one, where none is named. Throws an Error in words for
 * a person when e-mail or password cannot be taken, or there is no such merchant.
 */
export async function createUser(
  deps: { db: Db; now: () => number },
  wanted: { merchant: string | undefined; email: string; password: string },
): Promise<void> {
  const { merchant, email, password } = wanted
  await checkChosen({ email, password })
  const merchantId = await (merchant === undefined
    ? findFirstMerchant(deps.db)
    : findMerchant(deps.db, merchant))
  if (merchantId === undefined) {
    throw new Error('There is no such merchant; make one with `npx checkstand instance create`')
  }
  const passwordHash = await hashPassword(password)
  const now = deps.now()
  await inTransaction(deps.db, async (tx) => {
    await addUser(tx, merchantId, { email, passwordHash, now })
  })
}

/**
 * Makes a user of a merchant unless there is one with this e-mail, whose password stays as it is.
 * Throws an Error in words for a person when e-mail or password cannot be taken.
 */
export async function ensureUser(
  deps: { db: Db; now: () => number },
  merchantId: string,
  user: { email: string; password: string },
): Promise<void> {
  if (await findUser(deps.db, user.email)) return
  await checkChosen(user)
  const passwordHash = await hashPassword(user.password)
  const now = deps.now()
  await inTransaction(deps.db, (tx) =>
    addUser(tx, merchantId, { email: user.email, passwordHash, now }),
  )
}

/** Throws an Error in words for a person when the e-mail is taken: its password stays as it is. */
export async function addUser(
  tx: Tx,
  merchantId: string,
  user: { email: string; passwordHash: string; now: number },
): Promise<void> {
  if (await findUser(tx, user.email)) throw new Error(`There already is a user ${user.email}`)
  await insertUser(tx, {
    id: newId('usr', user.now),
    merchant_id: merchantId,
    email: user.email,
    email_folded: user.email.toLowerCase(),
    password_hash: user.passwordHash,
    created: formatInstant(user.now),
    disabled: null,
  })
}
