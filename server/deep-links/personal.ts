import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import { parseOptions } from './validate.ts'

/** Returns whether a deep link is for one customer: it has their account, or fills in who they are. */
export function isPersonal(link: Pick<DeepLinkRow, 'account_id' | 'options'>): boolean {
  const { account } = parseOptions(link)
  if (link.account_id !== null || typeof account === 'string') return true
  return account?.crm_key != null || account?.email != null
}
