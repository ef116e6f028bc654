import { hashSecret } from '../auth/secrets.ts'
import type { Deps } from '../deps.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { createInstance, ensureUser } from './create.ts'
import { findNamedInstance, insertSecretKey } from './store.ts'
import type { Instance } from './store.ts'

export interface FirstInstance {
  instance: Instance
  /** The secret key, when it was made just now: this is the only time that it can be shown. */
  secretKey: string | undefined
}

/**
 * The first instance of a server, made when the database is new: from the environment's key and
 * user where they are set (architecture section 0). A preset key and user are added to an existing
 * instance too, so that a container can be given new ones.
 */
export async function ensureFirstInstance(
  deps: Pick<Deps, 'db' | 'now' | 'config'>,
  merchant: string,
): Promise<FirstInstance> {
  const { secretKey, admin } = deps.config
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
    return { instance: made.instance, secretKey: secretKey ? undefined : made.secretKey }
  }
  if (secretKey !== undefined) {
    await insertSecretKey(deps.db, {
      hash: hashSecret(secretKey),
      instance_id: existing.id,
      secret: secretKey,
      created: formatInstant(deps.now()),
    })
  }
  if (admin) await ensureUser(deps, existing.merchant_id, admin)
  return { instance: existing, secretKey: undefined }
}
