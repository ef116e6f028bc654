import type { Updateable } from 'kysely'
import type { CheckoutMilestones, CheckoutRow } from '../db/tables/checkouts.ts'
import type { LinkRow, PaymentLinksTable } from '../db/tables/payment-links.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps, SettledAttempt } from '../deps.ts'
import type { EventType } from '../events/event-types.ts'
import { isPayerAttempt, type PayerAttempt } from '../payments/attempts.ts'
import { countUse, lockWithDeepLink, releaseUse } from '../deep-links/uses.ts'
import { updateClaimedLink } from '../payment-links/claim.ts'
import { getLinkWithHistory } from '../payment-links/queries.ts'
import { type LinkEvent, recordLinkEvent } from '../payment-links/events.ts'
import { declineCell } from '../checkout-monitor/cells.ts'
import { insertCells } from '../checkout-monitor/record-counts.ts'
import { countDecline } from '../card-testing/declines.ts'
import { detectCardTesting } from '../card-testing/detect.ts'
import { paidRecords } from './paid-records.ts'
import { lockCheckout, markDeclined, updateCheckout } from './store.ts'
import { recordCheckoutEvent } from './events.ts'
import { settleSetAside } from './set-aside.ts'

/**
 * Applies the outcome of a payer's attempt to the link, the session and the counters of declines,
 * and records their events. Attempts of a merchant or the scheduler have neither link nor session.
 */
export async function settleCheckout(
  deps: Deps,
  tx: Tx,
  settled: SettledAttempt,
): Promise<(() => Promise<void>) | undefined> {
  const { attempt, payment, now } = settled
  if (!isPayerAttempt(attempt)) return undefined
  const payerSettled = { ...settled, attempt }
  const context = { tx, baseUrl: deps.config.baseUrl, now }
  const settle = attempt.set_aside === 1 ? settleSetAside : settleLink
  if (await settle(context, payerSettled)) await settleSession(context, payerSettled)
  if (payment.status === 'DECLINE') await recordDecline(tx, attempt)
  const exceeded = await countDecline(tx, deps, payerSettled, deps.realNow())
  return () => detectCardTesting(deps, payerSettled, exceeded)
}

type PayerSettled = SettledAttempt & { attempt: PayerAttempt }

/** Returns true: the session always changes too. */
async function settleLink(context: LinkEvent, settled: PayerSettled): Promise<boolean> {
  const { tx, now } = context
  const { attempt, payment } = settled
  const change = await linkChange(tx, settled)
  if (!change) return true
  // The status cannot change before the update: only the claiming attempt changes it, and this
  // transaction has locked that attempt's row.
  const { link: before } = await lockWithDeepLink(tx, attempt.instance_id, attempt.payment_link_id)
  if (before.status === 'PAYMENT_PENDING' && change.status === 'PAYMENT_PENDING') return true
  const isUpdated = await updateClaimedLink(
    tx,
    { id: before.id, attemptId: attempt.id, paid: payment.status === 'SUCCESS' },
    { ...change, updated: formatInstant(now) },
  )
  if (isUpdated) await settleUse(context, before, change.status)
  const type = isUpdated && linkEvent(before.status, change.status)
  if (!type) return true
  const link = await getLinkWithHistory(tx, before.instance_id, before.id)
  await recordLinkEvent(context, type, link)
  return true
}

/** Counts the use that a payment link of a deep link makes, or gives back the one that it reserved. */
async function settleUse(
  context: LinkEvent,
  before: LinkRow,
  to: LinkRow['status'],
): Promise<void> {
  const { deep_link_id: id, status, claim } = before
  if (id === null || status === 'PAYMENT_SUCCESS') return
  if (to === 'PAYMENT_SUCCESS') await countUse(context, id, { wasReserved: claim !== null })
  if (to === 'ACTIVE' && claim !== null) await releaseUse(context.tx, id)
}

type LinkChange = Updateable<PaymentLinksTable> & Pick<LinkRow, 'status'>

/** Returns the change of the link; undefined while the payer is at their bank. */
async function linkChange(tx: Tx, settled: PayerSettled): Promise<LinkChange | undefined> {
  const { attempt, payment } = settled
  const relations = async () => ({
    account_id: payment.account_id,
    payment_id: payment.id,
    transaction_id: attempt.transaction_id,
    payment_method_id: payment.payment_method_id,
    ...(await paidRecords(tx, settled)),
  })
  switch (attempt.state) {
    // The link stays active and claimed.
    case 'ACTION':
    case 'SENT':
      return undefined
    case 'PENDING':
    case 'UNRESOLVED':
      return { status: 'PAYMENT_PENDING', ...(await relations()) }
    case 'DONE':
      return payment.status === 'SUCCESS'
        ? { status: 'PAYMENT_SUCCESS', ...(await relations()), claim: null }
        : { status: 'ACTIVE', ...NO_RELATIONS, claim: null }
  }
}

const NO_RELATIONS = {
  account_id: null,
  charge_id: null,
  contract_id: null,
  payment_id: null,
  transaction_id: null,
  payment_method_id: null,
}

/** A decline that was never pending has no link event; the payment has its own. */
function linkEvent(
  from: LinkRow['status'],
  to: LinkRow['status'],
): Extract<EventType, `payment_link.${string}`> | undefined {
  if (to === 'PAYMENT_SUCCESS') return 'payment_link.payment_success'
  if (to === 'PAYMENT_PENDING') return 'payment_link.payment_pending'
  return from === 'PAYMENT_PENDING' ? 'payment_link.payment_failed' : undefined
}

async function settleSession({ tx, now }: LinkEvent, settled: PayerSettled): Promise<void> {
  const { attempt, payment } = settled
  const checkout = await lockCheckout(tx, attempt.checkout_id)
  const at = formatInstant(now)
  const milestones = JSON.parse(checkout.milestones) as CheckoutMilestones
  if (attempt.state === 'ACTION') milestones.challenged ??= at
  if (payment.status === 'SUCCESS') milestones.completed ??= at
  const change = {
    status: await sessionStatus(tx, settled),
    milestones: JSON.stringify(milestones),
  }
  // A payer may have tried another method after leaving the one that succeeded.
  const paid =
    payment.status === 'SUCCESS'
      ? { amount: payment.amount, method_type: attempt.method_type, processor: attempt.processor }
      : {}
  if (change.status === checkout.status && change.milestones === checkout.milestones) return
  await updateCheckout(tx, checkout, { ...change, ...paid, updated: at })
  if (change.status !== 'COMPLETED' && change.status !== 'ABANDONED') return
  const type = change.status === 'COMPLETED' ? 'checkout.completed' : 'checkout.abandoned'
  await recordCheckoutEvent(tx, type, checkout.id, { instanceId: checkout.instance_id, now })
}

/** Counts a declined attempt, once, because its outcome is final. */
async function recordDecline(tx: Tx, attempt: PayerAttempt): Promise<void> {
  const checkout = await lockCheckout(tx, attempt.checkout_id)
  await markDeclined(tx, checkout)
  await insertCells(tx, [declineCell(checkout, attempt)])
}

async function sessionStatus(
  tx: Tx,
  { attempt, payment }: PayerSettled,
): Promise<CheckoutRow['status']> {
  if (payment.status === 'SUCCESS') return 'COMPLETED'
  if (attempt.set_aside === 0) {
    if (attempt.state === 'ACTION') return 'SUBMITTED'
    if (attempt.state !== 'DONE') return 'PENDING'
  }
  // Archiving the link closed its open sessions but not this one, which had a payment in progress.
  // The link was updated above, so it cannot be archived before this transaction ends.
  const { link, deepLink } = await lockWithDeepLink(
    tx,
    attempt.instance_id,
    attempt.payment_link_id,
  )
  const archived = link.archived ?? deepLink?.archived ?? null
  return archived === null ? 'OPEN' : 'ABANDONED'
}
