import type { LinkRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { SettledAttempt } from '../deps.ts'
import type { PayerAttempt } from '../payments/attempts.ts'
import { settleLeftCharges } from '../payments/settle-charges.ts'
import { markSetAside } from '../payments/store.ts'
import { markSurplus } from '../payments/surplus.ts'
import { payFreeLink, releaseClaim } from '../payment-links/claim.ts'
import { type LinkEvent, recordLinkEvent } from '../payment-links/events.ts'
import { getLinkWithHistory } from '../payment-links/queries.ts'
import { paidRecords } from './paid-records.ts'
import { lockOpenCheckout } from './store.ts'

/**
 * Applies the outcome of an attempt that its payer has left to the link. Leaving it frees the link. An
 * approval that comes later pays a link that nobody has paid or is paying, under the terms that the payer
 * agreed to; otherwise the payment is surplus. A decline changes nothing. Returns whether the session
 * changes too: not one that has ended, or in which the payer has paid another way.
 */
export async function settleSetAside(
  context: LinkEvent,
  settled: SettledAttempt & { attempt: PayerAttempt },
): Promise<boolean> {
  const { tx, now } = context
  const { attempt, payment } = settled
  const { payment_link_id: linkId } = attempt
  if (attempt.state !== 'DONE') return releaseClaim(tx, { linkId, attemptId: attempt.id })
  if (payment.status !== 'SUCCESS') return false
  const paid = {
    account_id: payment.account_id,
    payment_id: payment.id,
    transaction_id: attempt.transaction_id,
    payment_method_id: payment.payment_method_id,
    ...(await paidRecords(tx, settled)),
    updated: formatInstant(now),
  } satisfies Partial<LinkRow>
  const agreed = { linkId, optionsVersion: attempt.options_v }
  if (!(await settleLeftCharges(tx, settled, () => payFreeLink(tx, agreed, paid)))) {
    await markSurplus(tx, attempt, { now })
    return false
  }
  await markSetAside(tx, payment.id, false)
  const link = await getLinkWithHistory(tx, attempt.instance_id, linkId)
  await recordLinkEvent(context, 'payment_link.payment_success', link)
  return (await lockOpenCheckout(tx, attempt.checkout_id)) !== undefined
}
