import { formatInstant } from '../../shared/rules/time.ts'
import type { SecretKeyChange } from '../../shared/schemas/secret-key.ts'
import type { Deps } from '../deps.ts'
import { invalidState } from '../errors.ts'
import { futureInstant, requireUsable } from './expiry.ts'
import { getSecretKey, type SecretKeyRow, updateSecretKey } from './store.ts'

type KeyDeps = Pick<Deps, 'db' | 'now' | 'realNow'>

/** Changes the given members of a key. A key that no longer works stays as it is: 400 INVALID_STATE. */
export async function changeSecretKey(
  deps: KeyDeps,
  instanceId: string,
  id: string,
  change: SecretKeyChange,
): Promise<SecretKeyRow> {
  const now = deps.realNow()
  const key = await getSecretKey(deps.db, instanceId, id)
  requireUsable(key, now)
  const expires = futureInstant(change.expires, now)
  const changed = await updateSecretKey(deps.db, key, {
    name: change.name === undefined ? key.name : change.name,
    ...(expires !== undefined && { expires }),
  })
  if (!changed) throw invalidState('The secret key is revoked')
  return changed
}

/** Ends a key at once. A key that is revoked already stays so. */
export async function revokeSecretKeyById(
  deps: KeyDeps,
  instanceId: string,
  id: string,
): Promise<void> {
  const key = await getSecretKey(deps.db, instanceId, id)
  await updateSecretKey(deps.db, key, { revoked: formatInstant(deps.realNow()) })
}
