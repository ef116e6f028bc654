import { z } from 'zod'
import type { Instance } from '../db/rows.ts'
import { assertValidCredentials } from '../auth/credential-rules.ts'
import { hashPassword } from '../auth/passwords.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { Deps } from '../deps.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import { validationMessage } from '../http/validation-message.ts'
import { newId } from '../ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { text } from '../../shared/schemas/common.ts'
import { type InstanceChange, updateInstance } from '../../shared/schemas/instance.ts'
import {
  ensureMerchant,
  findInstance,
  findUser,
  insertInstance,
  insertSecretKey,
  insertUser,
  INSTANCE_KEY,
} from './store.ts'

export interface NewInstance {
  merchant: string
  key: string
  name: string
  mode?: 'TEST' | 'LIVE'
  currency?: string
  user?: { email: string; password: string }
  /** A secret key chosen beforehand, for scripts and containers; otherwise one is made. */
  secretKey?: string
}

/**
 * Makes an instance, its merchant when that is new, its first secret key and, when given, a user
 * of the merchant. The key is answered once and cannot be read again.
 *
 * Throws an Error in words for a person when the key or the e-mail is taken, or when something is
 * wanted that could not be set or chosen later either.
 */
export async function createInstance(
  deps: Pick<Deps, 'db' | 'now'>,
  wanted: NewInstance,
): Promise<{ instance: Instance; secretKey: string }> {
  checkMerchantAndKey(wanted)
  if (!INSTANCE_KEY.test(wanted.key)) {
    throw new Error(`The key "${wanted.key}" must be letters, digits, - and _ (at most 63)`)
  }
  const { name, currency: default_currency = 'EUR' } = wanted
  checkSettings({ name, default_currency })
  if (wanted.user) await assertValidCredentials(wanted.user)
  const mode = wanted.mode ?? 'TEST'
  const secretKey = wanted.secretKey ?? newSecret(`sk_${mode.toLowerCase()}_${wanted.key}`)
  const now = deps.now()
  const created = formatInstant(now)
  const passwordHash = wanted.user && (await hashPassword(wanted.user.password))
  const instance = await inTransaction(deps.db, async (tx) => {
    const merchantId = await ensureMerchant(tx, {
      id: newId('mer', now),
      name: wanted.merchant,
      created,
    })
    if (await findInstance(tx, merchantId, wanted.key)) {
      throw new Error(`${wanted.merchant} already has an instance with the key "${wanted.key}"`)
    }
    const row: Instance = {
      id: newId('ins', now),
      merchant_id: merchantId,
      key: wanted.key,
      name,
      mode,
      default_currency,
      timezone: null,
      languages: null,
      allowed_origins: '[]',
      theme: null,
      link_saved_methods: 1,
      brandings: '[]',
      strings_version: 1,
      created,
      updated: created,
      v: 1,
      disabled: null,
      clock_offset_ms: null,
      clock_target: null,
    }
    await insertInstance(tx, row)
    await insertSecretKey(tx, {
      hash: hashSecret(secretKey),
      instance_id: row.id,
      secret: secretKey,
      created,
    })
    if (wanted.user && passwordHash) {
      await addUser(tx, merchantId, { email: wanted.user.email, passwordHash, now })
    }
    return row
  })
  return { instance, secretKey }
}

const identity = z.object({ merchant: text(255).min(1), key: text(255) })

function checkMerchantAndKey({ merchant, key }: Pick<NewInstance, 'merchant' | 'key'>): void {
  const parsed = identity.safeParse({ merchant, key })
  if (!parsed.success) throw new Error(validationMessage(parsed.error))
}

function checkSettings(settings: InstanceChange): void {
  const parsed = updateInstance.shape.instance.safeParse(settings)
  if (!parsed.success) throw new Error(validationMessage(parsed.error))
}

/**
 * Makes a user of a merchant unless there is one with this e-mail, whose password stays as it is.
 * Throws an Error in words for a person when e-mail or password cannot be taken.
 */
export async function ensureUser(
  deps: Pick<Deps, 'db' | 'now'>,
  merchantId: string,
  user: { email: string; password: string },
): Promise<void> {
  if (await findUser(deps.db, user.email)) return
  await assertValidCredentials(user)
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
