import type { Instance } from '../db/tables/instances.ts'
import { assertValidPassword } from '../auth/credential-rules.ts'
import { hashSecret } from '../auth/secrets.ts'
import type { Deps } from '../deps.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { createInstance } from './create-instance.ts'
import { findInstanceByNames } from '../instances/store.ts'
import { ensureUser } from '../users/create.ts'
import { findSecretKey, insertSecretKey } from '../secret-keys/store.ts'
import { findUser } from '../users/store.ts'

export interface FirstInstance {
  instance: Instance
  secretKey: FirstKey
}

/**
 * The secret key when it was generated now, the only time that it can be shown. Otherwise why it is
 * not shown.
 */
export type FirstKey =
  | { generated: string }
  | 'PRESET'
  | 'PRESET_REVOKED'
  | 'PRESET_OF_ANOTHER_INSTANCE'
  | 'EXISTING'

/**
 * Finds the first instance, or creates it in a new database with the key and the user of the
 * environment. They are added to an existing instance too, so that a container can get new ones.
 * Throws an Error with a message for the operator when the password of the user is too weak.
 */
export async function ensureFirstInstance(
  deps: Pick<Deps, 'db' | 'now' | 'config'>,
  merchant: string,
): Promise<FirstInstance> {
  const { secretKey, admin } = deps.config
  if (admin && !(await findUser(deps.db, admin.email))) {
    await assertValidPassword(admin, 'CHECKSTAND_ADMIN_PASSWORD')
  }
  const existing = await findInstanceByNames(deps.db, undefined, undefined)
  if (!existing) {
    const created = await createInstance(deps, {
      merchant,
      key: 'default',
      name: merchant,
      mode: secretKey?.startsWith('sk_live_') ? 'LIVE' : 'TEST',
      ...(admin ? { user: admin } : {}),
      ...(secretKey === undefined ? {} : { secretKey }),
    })
    // A preset key is known to the operator and must not reach a log.
    return {
      instance: created.instance,
      secretKey: secretKey ? 'PRESET' : { generated: created.secretKey },
    }
  }
  const key = secretKey === undefined ? 'EXISTING' : await addKey(deps, existing, secretKey)
  if (admin) await ensureUser(deps, existing.merchant_id, admin)
  return { instance: existing, secretKey: key }
}

/** A revoked key stays revoked. */
async function addKey(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  instance: Instance,
  secret: string,
): Promise<FirstKey> {
  const hash = hashSecret(secret)
  const created = formatInstant(now())
  await insertSecretKey(db, { hash, instance_id: instance.id, secret, created })
  const kept = await findSecretKey(db, hash)
  if (kept?.instance_id !== instance.id) return 'PRESET_OF_ANOTHER_INSTANCE'
  return kept.revoked === null ? 'PRESET' : 'PRESET_REVOKED'
}
