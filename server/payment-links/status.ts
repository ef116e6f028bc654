import type { PaymentLinkStatus } from '../../shared/schemas/payment-link.ts'

/** What a link's status depends on, as it is stored. */
export interface LinkExpiry {
  status: 'ACTIVE' | 'PAYMENT_PENDING' | 'PAYMENT_SUCCESS'
  expires: string | null
}

/**
 * The status of a link at a moment (epoch ms). Expiry is read off the clock each time, so it
 * depends on no timer and no restart, and money that was received always beats it (contract
 * section 6.2, complaints U-8 and U-9).
 */
export function linkStatus(link: LinkExpiry, now: number): PaymentLinkStatus {
  const expired = link.expires !== null && Date.parse(link.expires) <= now
  return link.status === 'ACTIVE' && expired ? 'EXPIRED' : link.status
}
