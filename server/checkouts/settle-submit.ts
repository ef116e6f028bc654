import type { CheckoutMilestones, CheckoutRow } from '../db/tables/checkouts.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { countDecline } from '../card-testing/declines.ts'
import { detectCardTesting } from '../card-testing/detect.ts'
import { declineCell } from '../checkout-monitor/cells.ts'
import { insertCells } from '../checkout-monitor/record-counts.ts'
import { lockWithDeepLink } from '../deep-links/uses.ts'
import type { LinkEvent } from '../payment-links/events.ts'
import { recordCheckoutEvent } from './events.ts'
import type { SettledSubmit } from './settled-submit.ts'
import { lockCheckout, markDeclined, updateCheckout } from './store.ts'

/**
 * Applies the outcome of a submit to its session, unless that has ended (`isOver`), and to the counters
 * of declines. `amount` is what was taken, in minor units. Returns what to do after the commit.
 */
export async function settleSubmit(
  deps: Deps,
  context: LinkEvent,
  submit: SettledSubmit,
  { isOver, amount }: { isOver: boolean; amount: number },
): Promise<() => Promise<void>> {
  const { tx } = context
  if (!isOver) await settleSession(context, submit, amount)
  if (submit.status === 'DECLINE') await recordDecline(tx, submit)
  const exceeded = await countDecline(tx, deps, submit, deps.realNow())
  return () => detectCardTesting(deps, submit, exceeded)
}

async function settleSession(
  { tx, now }: LinkEvent,
  submit: SettledSubmit,
  amount: number,
): Promise<void> {
  const checkout = await lockCheckout(tx, submit.checkout_id)
  const at = formatInstant(now)
  const isDone = submit.status === 'SUCCESS'
  const milestones = JSON.parse(checkout.milestones) as CheckoutMilestones
  if (submit.state === 'ACTION') milestones.challenged ??= at
  if (isDone) milestones.completed ??= at
  const change = {
    status: await sessionStatus(tx, submit),
    milestones: JSON.stringify(milestones),
  }
  // A payer may have tried another method after leaving the one that succeeded.
  const paid = isDone
    ? { amount, method_type: submit.method_type, processor: submit.processor }
    : {}
  if (change.status === checkout.status && change.milestones === checkout.milestones) return
  await updateCheckout(tx, checkout, { ...change, ...paid, updated: at })
  if (change.status !== 'COMPLETED' && change.status !== 'ABANDONED') return
  const type = change.status === 'COMPLETED' ? 'checkout.completed' : 'checkout.abandoned'
  await recordCheckoutEvent(tx, type, checkout.id, { instanceId: checkout.instance_id, now })
}

async function sessionStatus(
  tx: Tx,
  { status, state, set_aside, instance_id, payment_link_id }: SettledSubmit,
): Promise<CheckoutRow['status']> {
  if (status === 'SUCCESS') return 'COMPLETED'
  if (set_aside === 0) {
    if (state === 'ACTION') return 'SUBMITTED'
    if (state !== 'DONE') return 'PENDING'
  }
  // Archiving the link closed its open sessions but not this one, which had a payment in progress.
  // The link was updated before, so it cannot be archived before this transaction ends.
  const { link, deepLink } = await lockWithDeepLink(tx, instance_id, payment_link_id)
  const archived = link.archived ?? deepLink?.archived ?? null
  return archived === null ? 'OPEN' : 'ABANDONED'
}

/** Counts a declined submit, once, because its outcome is final. */
async function recordDecline(tx: Tx, submit: SettledSubmit): Promise<void> {
  const checkout = await lockCheckout(tx, submit.checkout_id)
  await markDeclined(tx, checkout)
  await insertCells(tx, [declineCell(checkout, submit)])
}
