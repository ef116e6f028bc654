import type { LinkWithHistory } from '../db/tables/payment-links.ts'
import type { PaymentLink } from '../../shared/schemas/payment-link-record.ts'
import { linkStatus } from './status.ts'
import { parseLinkContent } from './content.ts'

export function serializePaymentLink(
  link: LinkWithHistory,
  at: { now: number; baseUrl: string },
): PaymentLink {
  const status = linkStatus(link, at.now)
  const paid = status === 'PAYMENT_PENDING' || status === 'PAYMENT_SUCCESS'
  const { expires, options, state } = parseLinkContent(link)
  return {
    id: link.id,
    status,
    archived: link.archived,
    url: payUrl(at.baseUrl, link.id),
    expires,
    options,
    state: state as PaymentLink['state'],
    account: paid ? link.account_id : null,
    contract: paid ? link.contract_id : null,
    charge: paid ? link.charge_id : null,
    transaction: paid ? link.transaction_id : null,
    payment_method: paid ? link.payment_method_id : null,
    payment: paid ? link.payment_id : null,
    deep_link: link.deep_link_id,
    opened: link.opened,
    last_opened: link.last_opened,
    attempts: link.attempts,
    created: link.created,
    updated: link.updated,
    v: link.v,
  }
}

/** Returns the URL that the payer opens. */
export function payUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/pay/${id}`
}
