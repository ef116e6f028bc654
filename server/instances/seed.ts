import { hashSecret } from '../auth/secrets.ts'
import type { Deps } from '../deps.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { createInstance } from './create.ts'
import { findNamedInstance, insertSecretKey } from './store.ts'
import type { Instance } from './store.ts'

export interface FirstInstance {
  instance: Instance
  /** The secret key, while it can be shown: when it was made just now or came from outside. */
  secretKey: string | undefined
}

/**
 * The first instance of a server, made when the database is new: from the environment's key and
 * user where they are set (architecture section 0). A preset key is added to an existing instance
 * too, so that a container can be given a new one.
 */
export async function ensureFirstInstance(
  deps: Pick<Deps, 'db' | 'now' | 'config'>,
  merchant: string,
): Promise<FirstInstance> {
  const { secretKey, admin } = deps.config
  const existing = await findNamedInstance(deps.db, undefined, undefined)
  if (!existing) {
    return createInstance(deps, {
      merchant,
      key: 'default',
      name: merchant,
      mode: secretKey?.startsWith('sk_live_') ? 'LIVE' : 'TEST',
      ...(admin ? { user: admin } : {}),
      ...(secretKey === undefined ? {} : { secretKey }),
    })
  }
  if (secretKey !== undefined) {
    await insertSecretKey(deps.db, {
      hash: hashSecret(secretKey),
      instance_id: existing.id,
      secret: secretKey,
      created: formatInstant(deps.now()),
    })
  }
  return { instance: existing, secretKey }
}
