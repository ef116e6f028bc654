import { formatInstant } from '../../shared/rules/time.ts'
import { emailProblem, passwordProblem } from '../auth/choose.ts'
import { hashPassword } from '../auth/passwords.ts'
import { inTransaction } from '../db/tx.ts'
import type { Db } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { findUser, insertUser } from '../instances/store.ts'
import { findFirstMerchant, findMerchant } from './store.ts'

/**
 * Makes a user of a merchant: of the first one, where none is named. Throws an Error in words for
 * a person when e-mail or password cannot be taken, or there is no such merchant.
 */
export async function createUser(
  deps: { db: Db; now: () => number },
  wanted: { merchant: string | undefined; email: string; password: string },
): Promise<void> {
  const { merchant, email, password } = wanted
  checkChosen(email, password)
  const merchantId = await (merchant === undefined
    ? findFirstMerchant(deps.db)
    : findMerchant(deps.db, merchant))
  if (merchantId === undefined) {
    throw new Error('There is no such merchant; make one with `instance create`')
  }
  const passwordHash = await hashPassword(password)
  const now = deps.now()
  await inTransaction(deps.db, async (tx) => {
    if (await findUser(tx, email)) throw new Error(`There already is a user ${email}`)
    await insertUser(tx, {
      id: newId('usr', now),
      merchant_id: merchantId,
      email,
      email_folded: email.toLowerCase(),
      password_hash: passwordHash,
      created: formatInstant(now),
      disabled: null,
    })
  })
}

function checkChosen(email: string, password: string): void {
  const problem = emailProblem(email)
  if (problem !== null) throw new Error(`The e-mail ${problem}`)
  checkPassword(password)
}

/** Throws an Error in words for a person when a password cannot be taken. */
export function checkPassword(password: string): void {
  const problem = passwordProblem(password)
  if (problem !== null) throw new Error(`The password ${problem}`)
}
