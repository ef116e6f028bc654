import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/tx.ts'
import type { Deps } from '../deps.ts'
import { checkoutStatus } from './status.ts'
import { closeCheckout, listRunOut } from './store.ts'
import type { CheckoutRow } from './store.ts'
import { tellStoredCheckout } from './tell.ts'

const BATCH = 100

/**
 * Closes the sessions that have run out, and records `checkout.expired` or, where the payer had
 * tried, `checkout.abandoned`, once for each (contract section 7.2). Several processes may do this
 * at the same time. Answers how many sessions were found.
 */
export async function closeRunOutSessions(deps: Deps): Promise<number> {
  const now = deps.now()
  for (let found = 0; ;) {
    const batch = await listRunOut(deps.db, formatInstant(now), BATCH)
    // Each in a transaction of its own, so that one which cannot be closed keeps no other open.
    await Promise.all(batch.map((checkout) => closeSession(deps, checkout, now)))
    found += batch.length
    if (batch.length < BATCH) return found
  }
}

async function closeSession(deps: Deps, checkout: CheckoutRow, now: number): Promise<void> {
  const { id, instance_id: instanceId } = checkout
  await inTransaction(deps.db, async (tx) => {
    const status = checkoutStatus(checkout, now)
    if (!(await closeCheckout(tx, checkout, status, formatInstant(now)))) return
    const type = status === 'ABANDONED' ? 'checkout.abandoned' : 'checkout.expired'
    await tellStoredCheckout(tx, type, id, { instanceId, now })
  })
}
