import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db } from '../db/tables.ts'
import { setInstanceDisabled } from '../instances/store.ts'
import { revokeGrants } from '../oauth/grant-store.ts'

/** Instances that whoever runs the server shuts, and opens again. */

/**
 * Shuts an instance at once: no key, user or platform reaches it, its open links can no longer be
 * paid, and what its merchant granted to platforms has ended (safety section 1, rule 13). What is
 * under way or was agreed before goes on. False when it was shut before.
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
 * Opens an instance again, with its keys and links as they were. Platforms must be approved anew.
 * False when it was open.
 */
export function enableInstance(deps: { db: Db }, id: string): Promise<boolean> {
  return inTransaction(deps.db, (tx) => setInstanceDisabled(tx, id, null))
}
