import type { CheckoutRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { closedStatus } from './status.ts'
import { closeCheckout, findCheckout, listOpenCheckouts, listExpiredCheckouts } from './store.ts'
import { recordStoredCheckoutEvent } from './events.ts'

/**
 * Ends sessions that can no longer be paid in, and records `checkout.expired` or, where the payer
 * had tried, `checkout.abandoned`, once for each (contract section 7.2). Several processes may do
 * this at the same time.
 */

const BATCH = 100

/**
 * Closes the sessions that have run out; with `moved`, those of the instance of that id, whose clock was
 * moved. Answers how many were found.
 */
export async function closeExpiredSessions(deps: Deps, moved?: string): Promise<number> {
  const now = formatInstant(deps.now())
  return closeAll(deps, () => listExpiredCheckouts(deps.db, now, BATCH, moved))
}

/**
 * Closes the open sessions of a link that was archived (contract section 6.2). One in which a
 * payment is under way stays, since that payment counts.
 */
export async function closeLinkSessions(
  deps: Deps,
  instanceId: string,
  linkId: string,
): Promise<void> {
  await closeAll(deps, () => listOpenCheckouts(deps.db, instanceId, linkId, BATCH))
}

async function closeAll(deps: Deps, list: () => Promise<CheckoutRow[]>): Promise<number> {
  for (let found = 0; ;) {
    const batch = await list()
    // Each in a transaction of its own, so that one which cannot be closed keeps no other open.
    await mapConcurrently(batch, (checkout) => closeSession(deps, checkout))
    found += batch.length
    if (batch.length < BATCH) return found
  }
}

async function closeSession(deps: Deps, checkout: CheckoutRow): Promise<void> {
  const { id, instance_id: instanceId } = checkout
  const status = closedStatus(checkout)
  const type = status === 'ABANDONED' ? 'checkout.abandoned' : 'checkout.expired'
  const closed = await inTransaction(deps.db, async (tx) => {
    const now = deps.now()
    const done = await closeCheckout(tx, checkout, status, formatInstant(now))
    if (done) await recordStoredCheckoutEvent(tx, type, id, { instanceId, now })
    return done
  })
  if (closed) return
  // What a page reports of its payer changes a session that stays open.
  const changed = await findCheckout(deps.db, id)
  if (changed?.status === 'OPEN') await closeSession(deps, changed)
}
