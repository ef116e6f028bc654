import type { LoadMany } from '../http/expand.ts'
import { serializePaymentLink } from './serialize.ts'
import { listLinksByIds } from './queries.ts'

/** For `expand=payment_link` (contract section 15.4). */
export const loadPaymentLinks: LoadMany = async ({ db, now, baseUrl }, instanceId, ids) => {
  const links = await listLinksByIds(db, instanceId, ids)
  const at = { now: now(), baseUrl }
  return new Map(links.map((link) => [link.id, serializePaymentLink(link, at)]))
}
