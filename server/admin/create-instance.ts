import { z } from 'zod'
import type { Instance } from '../db/tables/instances.ts'
import { commandLineActor } from '../audit/command-line-actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { assertValidCredentials } from '../auth/credential-rules.ts'
import { hashPassword } from '../auth/passwords.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { Deps } from '../deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { validationMessage } from '../http/validation-message.ts'
import { newId } from '../ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { text } from '../../shared/schemas/common.ts'
import { type InstanceChange, updateInstanceRequest } from '../../shared/schemas/instance.ts'
import { findInstance, insertInstance, INSTANCE_KEY } from '../instances/store.ts'
import { ensureMerchant } from '../instances/merchants.ts'
import { auditByOperator } from '../users/change.ts'
import { addUser } from '../users/create.ts'
import { insertSecretKey } from '../secret-keys/store.ts'

export interface NewInstance {
  merchant: string
  key: string
  name: string
  mode?: 'TEST' | 'LIVE'
  currency?: string
  user?: { email: string; password: string }
  /** A secret key that the operator chose. The default is a generated one. */
  secretKey?: string
}

/**
 * Creates an instance, its merchant if that is new, its first secret key and, when `input.user` is
 * set, a user of the merchant. Returns the secret key, which cannot be read again.
 *
 * Throws an Error with a message for the operator when the key or the e-mail is taken, or when a
 * value is invalid.
 */
export async function createInstance(
  deps: Pick<Deps, 'db' | 'now'>,
  input: NewInstance,
): Promise<{ instance: Instance; secretKey: string }> {
  checkMerchantAndKey(input)
  if (!INSTANCE_KEY.test(input.key)) {
    throw new Error(`The key "${input.key}" must be letters, digits, - and _ (at most 63)`)
  }
  const { name, currency: default_currency = 'EUR' } = input
  checkSettings({ name, default_currency })
  if (input.user) await assertValidCredentials(input.user)
  const mode = input.mode ?? 'TEST'
  const secretKey = input.secretKey ?? newSecret(`sk_${mode.toLowerCase()}_${input.key}`)
  const now = deps.now()
  const created = formatInstant(now)
  const passwordHash = input.user && (await hashPassword(input.user.password))
  const instance = await inTransaction(deps.db, async (tx) => {
    const merchantId = await ensureMerchant(tx, {
      id: newId('mer', now),
      name: input.merchant,
      created,
    })
    if (await findInstance(tx, merchantId, input.key)) {
      throw new Error(`${input.merchant} already has an instance with the key "${input.key}"`)
    }
    const row: Instance = {
      id: newId('ins', now),
      merchant_id: merchantId,
      key: input.key,
      name,
      mode,
      default_currency,
      timezone: null,
      languages: null,
      allowed_origins: '[]',
      theme: null,
      link_saved_methods: 1,
      step_up_refund: null,
      support_refund_max: null,
      twin: null,
      brandings: '[]',
      strings_version: 1,
      legal_entities_version: 0,
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
    if (input.user && passwordHash) {
      const user = await addUser(tx, merchantId, { email: input.user.email, passwordHash, now })
      await auditByOperator(tx, deps, user, { action: 'user.created', detail: { role: user.role } })
    }
    const by = commandLineActor()
    await recordAudit(tx, {
      at: now,
      by,
      of: { instance: row.id },
      action: 'instance.created',
      about: row.id,
    })
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
  const parsed = updateInstanceRequest.shape.instance.safeParse(settings)
  if (!parsed.success) throw new Error(validationMessage(parsed.error))
}
