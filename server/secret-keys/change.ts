import { formatInstant } from '../../shared/rules/time.ts'
import type { SecretKeyChange } from '../../shared/schemas/secret-key.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import type { Instance } from '../db/tables/instances.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { invalidState } from '../errors.ts'
import { parseAllowedAddresses } from './allowed-addresses.ts'
import { futureInstant, requireUsable } from './expiry.ts'
import { getSecretKey, type SecretKeyRow, updateSecretKey } from './store.ts'

type KeyDeps = Pick<Deps, 'db' | 'realNow'>

/** A key that is changed, and who does it. */
export interface ChangedKey {
  id: string
  instance: Pick<Instance, 'id'>
  by: AuditActor
}

/** Changes the given members of a key. A key that no longer works stays as it is: 400 INVALID_STATE. */
export async function changeSecretKey(
  deps: KeyDeps,
  { id, instance, by }: ChangedKey,
  change: SecretKeyChange,
): Promise<SecretKeyRow> {
  const now = deps.realNow()
  return inTransaction(deps.db, async (tx) => {
    const key = await getSecretKey(tx, instance.id, id)
    requireUsable(key, now)
    const expires = futureInstant(change.expires, now)
    const next = {
      name: change.name === undefined ? key.name : change.name,
      expires: expires === undefined ? key.expires : expires,
      allowed_addresses:
        change.allowed_addresses === undefined
          ? key.allowed_addresses
          : parseAllowedAddresses(change.allowed_addresses),
    }
    const members = (['name', 'expires', 'allowed_addresses'] as const).filter(
      (member) => next[member] !== key[member],
    )
    if (members.length === 0) return key
    const changed = await updateSecretKey(tx, key, next)
    if (!changed) throw invalidState('The secret key is revoked')
    const action = 'secret_key.changed'
    await recordAudit(tx, {
      at: now,
      by,
      of: { instance: instance.id },
      action,
      about: id,
      detail: { members },
    })
    return changed
  })
}

/** Ends a key at once. A key that is revoked already stays so. */
export async function revokeSecretKeyById(
  deps: KeyDeps,
  { id, instance, by }: ChangedKey,
): Promise<void> {
  const now = deps.realNow()
  await inTransaction(deps.db, async (tx) => {
    const key = await getSecretKey(tx, instance.id, id)
    if (!(await updateSecretKey(tx, key, { revoked: formatInstant(now) }))) return
    const action = 'secret_key.revoked'
    await recordAudit(tx, { at: now, by, of: { instance: instance.id }, action, about: id })
  })
}
