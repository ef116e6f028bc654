import type { CheckoutRow } from './store.ts'

/**
 * The status of a session at a moment (epoch ms). One that runs out is ABANDONED when its payer had
 * tried to pay, and EXPIRED when nobody did (contract section 7.2). Read off the clock each time,
 * because nobody may have come by yet to write it down.
 */
export function checkoutStatus(
  { status, expires, milestones }: Pick<CheckoutRow, 'status' | 'expires' | 'milestones'>,
  now: number,
): CheckoutRow['status'] {
  if (status !== 'OPEN' || Date.parse(expires) > now) return status
  return milestones === '{}' ? 'EXPIRED' : 'ABANDONED'
}
