import type { LinkRow } from '../db/tables/payment-links.ts'
import { contentColumns, type LinkContent } from './content.ts'

/** Returns a link that nobody has opened, without its id. `created` is a stored instant. */
export function newLinkRow(link: {
  instanceId: string
  content: LinkContent
  created: string
}): Omit<LinkRow, 'id'> {
  return {
    instance_id: link.instanceId,
    status: 'ACTIVE',
    archived: null,
    ...contentColumns(link.content),
    options_v: 1,
    account_id: null,
    contract_id: null,
    charge_id: null,
    transaction_id: null,
    payment_method_id: null,
    payment_id: null,
    claim: null,
    deep_link_id: null,
    removed_opened: null,
    removed_last_opened: null,
    opening_told: 0,
    expiry_told: 0,
    created: link.created,
    updated: link.created,
    v: 1,
  }
}
