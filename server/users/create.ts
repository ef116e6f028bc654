import type { User } from '../db/tables/users.ts'
import { assertValidCredentials } from '../auth/credential-rules.ts'
import { hashPassword } from '../auth/passwords.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db, Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { auditByOperator } from './change.ts'
import { findUser, insertUser } from './store.ts'
import { findFirstMerchant, findMerchant } from '../instances/merchants.ts'

interface Credentials {
  email: string
  password: string
}

/**
 * Creates a user of the named merchant, or of the oldest one when `merchant` is undefined. Throws an
 * Error for invalid or taken credentials and for an unknown merchant.
 */
export async function createUser(
  deps: { db: Db; now: () => number },
  { merchant, ...credentials }: Credentials & { merchant: string | undefined },
): Promise<void> {
  await assertValidCredentials(credentials)
  const merchantId = await (merchant === undefined
    ? findFirstMerchant(deps.db)
    : findMerchant(deps.db, merchant))
  if (merchantId === undefined) {
    throw new Error('Merchant not found. `npx checkstand instance create` creates one')
  }
  await hashAndAdd(deps, merchantId, credentials)
}

/**
 * Creates a user unless the email is taken; the existing user keeps their password. Throws an Error for
 * invalid credentials.
 */
export async function ensureUser(
  deps: { db: Db; now: () => number },
  merchantId: string,
  credentials: Credentials,
): Promise<void> {
  if (await findUser(deps.db, credentials.email)) return
  await assertValidCredentials(credentials)
  await hashAndAdd(deps, merchantId, credentials)
}

async function hashAndAdd(
  deps: { db: Db; now: () => number },
  merchantId: string,
  { email, password }: Credentials,
): Promise<void> {
  const passwordHash = await hashPassword(password)
  const now = deps.now()
  await inTransaction(deps.db, async (tx) => {
    const user = await addUser(tx, merchantId, { email, passwordHash, now })
    await auditByOperator(tx, deps, user, { action: 'user.created', detail: { role: user.role } })
  })
}

/** Adds a user and returns it. Throws an Error when the email is taken. */
export async function addUser(
  tx: Tx,
  merchantId: string,
  { email, passwordHash, now }: { email: string; passwordHash: string; now: number },
): Promise<User> {
  if (await findUser(tx, email)) throw new Error(`User ${email} exists already`)
  const user: User = {
    id: newId('usr', now),
    merchant_id: merchantId,
    email,
    email_folded: email.toLowerCase(),
    name: null,
    password_hash: passwordHash,
    role: 'OWNER',
    instances: null,
    languages: null,
    invitation: null,
    invitation_expires: null,
    last_seen: null,
    created: formatInstant(now),
    disabled: null,
    removed: null,
    v: 1,
  }
  await insertUser(tx, user)
  return user
}
