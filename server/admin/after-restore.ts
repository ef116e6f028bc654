import { listScheduledCharges, skipCollection } from '../charges/collection-schedule.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { expediteRestoredSetups } from '../method-setups/store.ts'
import { expediteRestored } from '../payments/reconcile-queue.ts'
import { formatInstant } from '../../shared/rules/time.ts'

export interface AfterRestore {
  /** Number of attempts and set-ups that the server will reconcile with the processor. */
  to_reconcile: number
  /** Ids of charges that are not collected until their merchant reschedules them. */
  on_hold: string[]
}

const BATCH = 100

/**
 * Prepares a restored database. What happened after the backup is known to the processors only:
 *
 * - Every attempt without an outcome is reconciled. A declined collection is not retried, and the
 *   charges of a contract since its first payment are suspended: they may have been collected.
 * - Every due charge is suspended for the same reason, including those that contracts would have
 *   created meanwhile, those in payment, and those of disabled instances. Setting `due` resumes
 *   collection.
 *
 * Running it twice changes nothing more.
 */
export async function prepareAfterRestore(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
): Promise<AfterRestore> {
  const to_reconcile =
    (await expediteRestored(deps.db, deps.now())) +
    (await expediteRestoredSetups(deps.db, deps.now()))
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
