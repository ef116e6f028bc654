import type { Updateable } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { LinkRow, PaymentLinksTable } from '../db/tables/payment-links.ts'
import type { EventType } from '../events/event-types.ts'
import { countUse, lockWithDeepLink, releaseUse } from '../deep-links/uses.ts'
import { releaseClaim, updateClaimedLink } from '../payment-links/claim.ts'
import { type LinkEvent, recordLinkEvent } from '../payment-links/events.ts'
import { getLinkWithHistory } from '../payment-links/queries.ts'
import type { SettledSubmit } from './settled-submit.ts'

/** What a submit has made, as its link names it. */
export type LinkRelations = Pick<
  LinkRow,
  'account_id' | 'charge_id' | 'contract_id' | 'payment_id' | 'transaction_id' | 'payment_method_id'
>

/** Applies the outcome of a submit that its payer has not left to its link, and records the event. */
export async function settleLink(
  context: LinkEvent,
  submit: SettledSubmit,
  relations: () => Promise<LinkRelations>,
): Promise<void> {
  const { tx, now } = context
  const { id: attemptId, instance_id, payment_link_id } = submit
  const change = await linkChange(submit, relations)
  if (!change) return
  // The status cannot change before the update: only the claimant changes it, and this transaction
  // has locked the claimant's row.
  const { link: before } = await lockWithDeepLink(tx, instance_id, payment_link_id)
  if (before.status === 'PAYMENT_PENDING' && change.status === 'PAYMENT_PENDING') return
  const isUpdated = await updateClaimedLink(
    tx,
    { id: before.id, attemptId, paid: submit.status === 'SUCCESS' },
    { ...change, updated: formatInstant(now) },
  )
  if (isUpdated) await settleUse(context, before, change.status)
  const type = isUpdated && linkEvent(before.status, change.status)
  if (!type) return
  const link = await getLinkWithHistory(tx, before.instance_id, before.id)
  await recordLinkEvent(context, type, link)
}

/** Frees the link of a submit that its payer has left, and the use that it reserved. Returns whether it held the link. */
export async function leaveLink(
  { tx }: Pick<LinkEvent, 'tx'>,
  {
    id: attemptId,
    instance_id,
    payment_link_id: linkId,
  }: Pick<SettledSubmit, 'id' | 'instance_id' | 'payment_link_id'>,
): Promise<boolean> {
  const { deepLink } = await lockWithDeepLink(tx, instance_id, linkId)
  const isFreed = await releaseClaim(tx, { linkId, attemptId })
  if (isFreed && deepLink) await releaseUse(tx, deepLink.id)
  return isFreed
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
async function linkChange(
  { state, status }: SettledSubmit,
  relations: () => Promise<LinkRelations>,
): Promise<LinkChange | undefined> {
  switch (state) {
    // The link stays active and claimed.
    case 'ACTION':
    case 'SENT':
      return undefined
    case 'PENDING':
    case 'UNRESOLVED':
      return { status: 'PAYMENT_PENDING', ...(await relations()) }
    case 'DONE':
      return status === 'SUCCESS'
        ? { status: 'PAYMENT_SUCCESS', ...(await relations()), claim: null }
        : { status: 'ACTIVE', ...NO_RELATIONS, claim: null }
  }
}

const NO_RELATIONS: LinkRelations = {
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
