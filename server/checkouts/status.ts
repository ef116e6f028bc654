import type { CheckoutRow } from '../db/rows.ts'

/**
 * What an open session becomes when it ends: ABANDONED when its payer had begun, which is any
 * milestone after the opening, and EXPIRED when there was none.
 */
export function closedStatus({ milestones }: Pick<CheckoutRow, 'milestones'>) {
  return milestones === '{}' ? 'EXPIRED' : 'ABANDONED'
}

/**
 * The status of a session at a moment (epoch ms). That it has run out is read off the clock each
 * time, because nobody may have come by yet to write it down.
 */
export function checkoutStatus(
  checkout: Pick<CheckoutRow, 'status' | 'expires' | 'milestones'>,
  now: number,
): CheckoutRow['status'] {
  const ranOut = checkout.status === 'OPEN' && Date.parse(checkout.expires) <= now
  return ranOut ? closedStatus(checkout) : checkout.status
}
