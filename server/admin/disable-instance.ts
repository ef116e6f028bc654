import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db } from '../db/tables.ts'
import { setInstanceDisabled } from '../instances/store.ts'
import { revokeGrants } from '../oauth/grant-store.ts'

/**
 * Disables an instance at once: it rejects every key, user and platform, its links cannot be paid,
 * and its OAuth grants are revoked. Payments in progress and contracts continue. Returns false when
 * it was disabled before.
 */
export function disableInstance(deps: { db: Db; now: () => number }, id: string): Promise<boolean> {
  const now = formatInstant(deps.now())
  return inTransaction(deps.db, async (tx) => {
    if (!(await setInstanceDisabled(tx, id, now))) return false
    await revokeGrants(tx, { instance_id: id }, now)
    return true
  })
}

/**
 * Enables an instance with its keys and links as they were. Platforms must be authorized again.
 * Returns false when it was enabled before.
 */
export function enableInstance(deps: { db: Db }, id: string): Promise<boolean> {
  return inTransaction(deps.db, (tx) => setInstanceDisabled(tx, id, null))
}
