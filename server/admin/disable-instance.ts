import { formatInstant } from '../../shared/rules/time.ts'
import { commandLineActor } from '../audit/command-line-actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db } from '../db/tables.ts'
import { setInstanceDisabled } from '../instances/store.ts'
import { endGrants } from '../oauth/grant-store.ts'

type AdminDeps = { db: Db; now: () => number }

/**
 * Disables an instance at once: it rejects every key, user and platform, its links cannot be paid,
 * and its OAuth grants are revoked. Payments in progress and contracts continue. Returns false when
 * it was disabled before.
 */
export function disableInstance(deps: AdminDeps, id: string): Promise<boolean> {
  const [at, by] = [deps.now(), commandLineActor()]
  return inTransaction(deps.db, async (tx) => {
    if (!(await setInstanceDisabled(tx, id, formatInstant(at)))) return false
    const of = { instance: id }
    await recordAudit(tx, { at, by, of, action: 'instance.disabled', about: id })
    await endGrants(tx, { instance_id: id }, { by, at })
    return true
  })
}

/**
 * Enables an instance with its keys and links as they were. Platforms must be authorized again.
 * Returns false when it was enabled before.
 */
export function enableInstance(deps: AdminDeps, id: string): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    if (!(await setInstanceDisabled(tx, id, null))) return false
    const of = { instance: id }
    const [at, by] = [deps.now(), commandLineActor()]
    await recordAudit(tx, { at, by, of, action: 'instance.enabled', about: id })
    return true
  })
}
