import { sql } from 'kysely'
import type { Fields } from '../criteria/fields.ts'
import { formatInstant } from '../../shared/rules/time.ts'

/** The filters at `now` (epoch milliseconds). The status is `deepLinkStatus` in SQL. */
export function deepLinkFilters(now: number): Fields {
  const status = sql`case when deep_links.uses >= deep_links.max_uses then 'EXHAUSTED'
    when deep_links.expires <= ${formatInstant(now)} then 'EXPIRED' else 'ACTIVE' end`
  return {
    id: { type: 'id', column: 'deep_links.id', notNull: true },
    slug: { type: 'id', column: 'deep_links.slug' },
    action: {
      type: 'enum',
      column: 'deep_links.action',
      values: ['PAY', 'ADD_PAYMENT_METHOD', 'PAY_CHARGES', 'MANAGE_CONTRACT'],
    },
    status: { type: 'enum', column: status, values: ['ACTIVE', 'EXHAUSTED', 'EXPIRED'] },
    archived: { type: 'date', column: 'deep_links.archived' },
    expires: { type: 'date', column: 'deep_links.expires' },
    last_used: { type: 'date', column: 'deep_links.last_used' },
    account: { type: 'id', column: 'deep_links.account_id' },
    contract: { type: 'id', column: 'deep_links.contract_id' },
    created: { type: 'date', column: 'deep_links.created', notNull: true },
    updated: { type: 'date', column: 'deep_links.updated', notNull: true },
  }
}
