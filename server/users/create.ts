import { assertValidCredentials } from '../auth/credential-rules.ts'
import { hashPassword } from '../auth/passwords.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db, Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { findUser, insertUser } from './store.ts'
import { findFirstMerchant, findMerchant } from '../instances/merchants.ts'

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
    ? findFirstMerchant(deps.db)
    : findMerchant(deps.db, merchant))
  if (merchantId === undefined) {
    throw new Error('Merchant not found. `npx checkstand instance create` creates one')
  }
  const passwordHash = await hashPassword(password)
  const now = deps.now()
  await inTransaction(deps.db, async (tx) => {
    await addUser(tx, merchantId, { email, passwordHash, now })
  })
}

/**
 * Creates a user unless the email is taken; the existing user keeps their password. Throws an Error for
 * invalid credentials.
 */
export async function ensureUser(
  deps: { db: Db; now: () => number },
  merchantId: string,
  credentials: { email: string; password: string },
): Promise<void> {
  if (await findUser(deps.db, credentials.email)) return
  await assertValidCredentials(credentials)
  const passwordHash = await hashPassword(credentials.password)
  const now = deps.now()
  await inTransaction(deps.db, (tx) =>
    addUser(tx, merchantId, { email: credentials.email, passwordHash, now }),
  )
}

/** Throws an Error when the email is taken. */
export async function addUser(
  tx: Tx,
  merchantId: string,
  { email, passwordHash, now }: { email: string; passwordHash: string; now: number },
): Promise<void> {
  if (await findUser(tx, email)) throw new Error(`User ${email} exists already`)
  await insertUser(tx, {
    id: newId('usr', now),
    merchant_id: merchantId,
    email,
    email_folded: email.toLowerCase(),
    password_hash: passwordHash,
    created: formatInstant(now),
    disabled: null,
  })
}
