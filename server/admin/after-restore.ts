import { listScheduledCharges, skipCollection } from '../charges/collection-schedule.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { expediteRestored } from '../payments/reconcile-queue.ts'
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
 * - every operation without an outcome is asked about again, and takes the one that it had. A
 *   collection that turns out to be declined is not tried again, and what a contract has made
 *   since its first payment is put on hold: both may have been collected already;
 * - every charge that is due is put on hold for the same reason, those included that contracts
 *   would have made meanwhile, that are being paid, or whose instance is disabled. A merchant who
 *   sets its `due` has it collected.
 *
 * Doing it twice changes nothing more.
 */
export async function prepareAfterRestore(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
): Promise<AfterRestore> {
  const to_reconcile = await expediteRestored(deps.db, deps.now())
  while ((await createDueCharges(deps, { shut: true })) > 0);
  const on_hold: string[] = []
  for (;;) {
    const due = await listScheduledCharges(deps.db, formatInstant(deps.now()), BATCH)
    if (due.length === 0) return { to_reconcile, on_hold }
    for (const charge of due) {
      await inTransaction(deps.db, (tx) => skipCollection(tx, charge, deps.now()))
      on_hold.push(charge.id)
    }
  }
}
