import { listDueCharges, skipCollection } from '../charges/collectable.ts'
import { makeDueCharges } from '../charges/from-contract.ts'
import { inTransaction } from '../db/tx.ts'
import type { Deps } from '../deps.ts'
import { expediteAll } from '../payments/attempts.ts'
import { formatInstant } from '../../shared/rules/time.ts'

export interface AfterRestore {
  /** Operations whose outcome the processor will be asked for, as soon as a server runs. */
  to_reconcile: number
  /** Charges that are not collected until their merchants say so. */
  on_hold: string[]
}

const BATCH = 100

/**
 * Prepares a database that was put back to an earlier moment (safety section 3.2, rule 10). What
 * happened between that moment and now is on the processors' books and not in here, so:
 *
 * - every operation without an outcome is asked about again, and takes the one that it had;
 * - every charge that is due is put on hold, those included that contracts would have made
 *   meanwhile: it may have been collected already, and nobody here can know. A merchant who sets
 *   its `due` has it collected.
 *
 * Doing it twice changes nothing more.
 */
export async function prepareAfterRestore(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
): Promise<AfterRestore> {
  const to_reconcile = await expediteAll(deps.db, deps.now())
  while ((await makeDueCharges(deps)) > 0);
  const on_hold: string[] = []
  for (;;) {
    const due = await listDueCharges(deps.db, formatInstant(deps.now()), BATCH)
    if (due.length === 0) return { to_reconcile, on_hold }
    for (const charge of due) {
      await inTransaction(deps.db, (tx) => skipCollection(tx, charge, deps.now()))
      on_hold.push(charge.id)
    }
  }
}
