import type { PaymentLinkStatus } from '../../shared/schemas/payment-link-record.ts'

export interface LinkExpiry {
  status: 'ACTIVE' | 'PAYMENT_PENDING' | 'PAYMENT_SUCCESS'
  expires: string | null
}

/**
 * Returns the status of a link at `now` (epoch ms). Expiry is computed and not stored, so it depends
 * on no timer. A payment takes precedence over expiry.
 */
export function linkStatus(link: LinkExpiry, now: number): PaymentLinkStatus {
  const expired = link.expires !== null && Date.parse(link.expires) <= now
  return link.status === 'ACTIVE' && expired ? 'EXPIRED' : link.status
}
