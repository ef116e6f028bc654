import type { LinkRow } from '../db/tables/payment-links.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { SettledAttempt } from '../deps.ts'
import type { PayerAttempt } from '../payments/attempts.ts'
import { settleLeftCharges } from '../payments/settle-charges.ts'
import { markSetAside } from '../payments/store.ts'
import { markSurplus } from '../payments/surplus.ts'
import { countUse, lockWithDeepLink } from '../deep-links/uses.ts'
import { isExhausted } from '../payment-links/payability.ts'
import { payFreeLink } from '../payment-links/claim.ts'
import { type LinkEvent, recordLinkEvent } from '../payment-links/events.ts'
import { getLinkWithHistory } from '../payment-links/queries.ts'
import { paidRecords } from './paid-records.ts'
import { leaveLink } from './settle-link.ts'
import { lockOpenCheckout } from './store.ts'

/**
 * Applies the outcome of an attempt that its payer has left to the link. Leaving it frees the link. An
 * approval that comes later pays a link that nobody has paid or is paying, under the terms that the payer
 * agreed to, while its deep link has a use left; otherwise the payment is surplus. A decline changes nothing. Returns whether the session
 * changes too: not one that has ended, or in which the payer has paid another way.
 */
export async function settleSetAside(
  context: LinkEvent,
  settled: SettledAttempt & { attempt: PayerAttempt },
): Promise<boolean> {
  const { tx, now } = context
  const { attempt, payment } = settled
  const { payment_link_id: linkId } = attempt
  if (attempt.state !== 'DONE') return leaveLink(context, attempt)
  if (payment.status !== 'SUCCESS') return false
  const { deepLink } = await lockWithDeepLink(tx, attempt.instance_id, linkId)
  const isForUse = !deepLink || (!isExhausted(deepLink) && deepLink.options_v === attempt.options_v)
  const paid = {
    ...(await paidRecords(tx, settled)),
    updated: formatInstant(now),
  } satisfies Partial<LinkRow>
  const agreed = { linkId, optionsVersion: attempt.options_v }
  const pay = async () => isForUse && (await payFreeLink(tx, agreed, paid))
  if (!(await settleLeftCharges(tx, settled, pay))) {
    await markSurplus(tx, attempt, { now })
    return false
  }
  await markSetAside(tx, payment.id, false)
  if (deepLink) await countUse(context, deepLink.id, { wasReserved: false })
  const link = await getLinkWithHistory(tx, attempt.instance_id, linkId)
  await recordLinkEvent(context, 'payment_link.payment_success', link)
  return (await lockOpenCheckout(tx, attempt.checkout_id)) !== undefined
}
