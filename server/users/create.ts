import { assertValidCredentials } from '../auth/credential-rules.ts'
import { hashPassword } from '../auth/passwords.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db } from '../db/tables.ts'
import { addUser } from '../instances/create.ts'
import { findFirstMerchantId, findMerchantId } from './store.ts'

/**
 * Creates a user of the named merchant, or of the oldest one when `merchant` is undefined. Throws an
 * Error for invalid or taken credentials and for an unknown merchant.
 */
export async function createUser(
  deps: { db: Db; now: () => number },
  { merchant, email, password }: { merchant: string | undefined; email: string; password: string },
): Promise<void> {
  await assertValidCredentials({ email, password })
  const merchantId = await (merchant === undefined
    ? findFirstMerchantId(deps.db)
    : findMerchantId(deps.db, merchant))
  if (merchantId === undefined) {
    throw new Error('Merchant not found. `npx checkstand instance create` creates one')
  }
  const passwordHash = await hashPassword(password)
  const now = deps.now()
  await inTransaction(deps.db, async (tx) => {
    await addUser(tx, merchantId, { email, passwordHash, now })
  })
}
