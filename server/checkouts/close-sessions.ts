import type { CheckoutRow } from '../db/tables/checkouts.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { closedStatus } from './status.ts'
import {
  findCheckout,
  listExpiredCheckouts,
  listOpenCheckouts,
  listOpenCheckoutsOfDeepLink,
  updateIfUnchanged,
} from './store.ts'
import { recordCheckoutEvent } from './events.ts'

const BATCH = 100

/**
 * Closes expired sessions and records `checkout.expired`, or `checkout.abandoned` where the payer had
 * started. With `instanceId`, only those of that instance, whose test clock was moved. Safe to run in
 * several processes at once. Returns the number of sessions found.
 */
export async function closeExpiredSessions(deps: Deps, instanceId?: string): Promise<number> {
  const now = formatInstant(deps.now())
  return closeAll(deps, () => listExpiredCheckouts(deps.db, now, BATCH, instanceId))
}

/** Closes the open sessions of an archived link. A session with a payment in progress stays open. */
export async function closeLinkSessions(
  deps: Deps,
  instanceId: string,
  linkId: string,
): Promise<void> {
  await closeAll(deps, () => listOpenCheckouts(deps.db, instanceId, linkId, BATCH))
}

/** Closes the open sessions of an archived deep link. A session with a payment in progress stays open. */
export async function closeDeepLinkSessions(deps: Deps, deepLinkId: string): Promise<void> {
  await closeAll(deps, () => listOpenCheckoutsOfDeepLink(deps.db, deepLinkId, BATCH))
}

async function closeAll(deps: Deps, list: () => Promise<CheckoutRow[]>): Promise<number> {
  for (let closed = 0; ;) {
    const batch = await list()
    // One transaction each, so that a failure affects one session only.
    await mapConcurrently(batch, (checkout) => closeSession(deps, checkout))
    closed += batch.length
    if (batch.length < BATCH) return closed
  }
}

async function closeSession(deps: Deps, checkout: CheckoutRow): Promise<void> {
  const { id, instance_id: instanceId } = checkout
  const status = closedStatus(checkout)
  const type = status === 'ABANDONED' ? 'checkout.abandoned' : 'checkout.expired'
  const closed = await inTransaction(deps.db, async (tx) => {
    const now = deps.now()
    const change = { status, updated: formatInstant(now) } as const
    const wasOpen = await updateIfUnchanged(tx, checkout, change)
    if (wasOpen) await recordCheckoutEvent(tx, type, id, { instanceId, now })
    return wasOpen
  })
  if (closed) return
  // A reported milestone changed the session but did not close it.
  const current = await findCheckout(deps.db, id)
  if (current?.status === 'OPEN') await closeSession(deps, current)
}
