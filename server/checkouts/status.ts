import type { CheckoutRow } from '../db/tables/checkouts.ts'

/** Returns the status in which an open session ends: ABANDONED once it has any milestone. */
export function closedStatus({ milestones }: Pick<CheckoutRow, 'milestones'>) {
  return milestones === '{}' ? 'EXPIRED' : 'ABANDONED'
}

/**
 * Returns the status of a session at `now` (epoch ms). An expired session counts as closed before the
 * scheduler has closed it.
 */
export function checkoutStatus(
  checkout: Pick<CheckoutRow, 'status' | 'expires' | 'milestones'>,
  now: number,
): CheckoutRow['status'] {
  const isExpired = checkout.status === 'OPEN' && Date.parse(checkout.expires) <= now
  return isExpired ? closedStatus(checkout) : checkout.status
}
