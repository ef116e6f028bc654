import { assertValidCredentials } from '../auth/credential-rules.ts'
import { hashPassword } from '../auth/passwords.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db } from '../db/tables.ts'
import { addUser } from '../instances/create.ts'
import { findFirstMerchantId, findMerchantId } from './store.ts'

/**
 * Makes a user of a merchant: of the first one, where none is named. Throws an Error in words for
 * a person when e-mail or password cannot be taken, or there is no such merchant.
 */
export async function createUser(
  deps: { db: Db; now: () => number },
  wanted: { merchant: string | undefined; email: string; password: string },
): Promise<void> {
  const { merchant, email, password } = wanted
  await assertValidCredentials({ email, password })
  const merchantId = await (merchant === undefined
    ? findFirstMerchantId(deps.db)
    : findMerchantId(deps.db, merchant))
  if (merchantId === undefined) {
    throw new Error('There is no such merchant; make one with `npx checkstand instance create`')
  }
  const passwordHash = await hashPassword(password)
  const now = deps.now()
  await inTransaction(deps.db, async (tx) => {
    await addUser(tx, merchantId, { email, passwordHash, now })
  })
}
