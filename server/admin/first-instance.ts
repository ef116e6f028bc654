import type { Instance } from '../db/rows.ts'
import { assertValidPassword } from '../auth/credential-rules.ts'
import { hashSecret } from '../auth/secrets.ts'
import type { Deps } from '../deps.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { createInstance } from './create-instance.ts'
import { findNamedInstance } from '../instances/store.ts'
import { ensureUser } from '../users/create.ts'
import { findSecretKey, insertSecretKey } from '../instances/secret-keys.ts'
import { findUser } from '../users/store.ts'

export interface FirstInstance {
  instance: Instance
  secretKey: FirstKey
}

/**
 * The secret key, when it was made just now: this is the only time that it can be shown. Otherwise
 * why it is not: it is the preset one, which may open nothing here, or was made long before.
 */
export type FirstKey =
  | { made: string }
  | 'PRESET'
  | 'PRESET_REVOKED'
  | 'PRESET_OF_ANOTHER_INSTANCE'
  | 'MADE_BEFORE'

/**
 * The first instance of a server, made when the database is new: from the environment's key and
 * user where they are set (architecture section 0). A preset key and user are added to an existing
 * instance too, so that a container can be given new ones. Throws an Error in words for a person when
 * the user would be made and the preset password is too weak.
 */
export async function ensureFirstInstance(
  deps: Pick<Deps, 'db' | 'now' | 'config'>,
  merchant: string,
): Promise<FirstInstance> {
  const { secretKey, admin } = deps.config
  if (admin && !(await findUser(deps.db, admin.email))) {
    await assertValidPassword(admin, 'CHECKSTAND_ADMIN_PASSWORD')
  }
  const existing = await findNamedInstance(deps.db, undefined, undefined)
  if (!existing) {
    const made = await createInstance(deps, {
      merchant,
      key: 'default',
      name: merchant,
      mode: secretKey?.startsWith('sk_live_') ? 'LIVE' : 'TEST',
      ...(admin ? { user: admin } : {}),
      ...(secretKey === undefined ? {} : { secretKey }),
    })
    // A key that came from outside is known there; printing it would only put it into a log.
    return { instance: made.instance, secretKey: secretKey ? 'PRESET' : { made: made.secretKey } }
  }
  const key = secretKey === undefined ? 'MADE_BEFORE' : await addKey(deps, existing, secretKey)
  if (admin) await ensureUser(deps, existing.merchant_id, admin)
  return { instance: existing, secretKey: key }
}

/** A key that was revoked stays so: whoever revoked it may not know of the preset. */
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
