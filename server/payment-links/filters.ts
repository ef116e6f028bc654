import { sql } from 'kysely'
import type { Fields } from '../criteria/fields.ts'
import { formatInstant } from '../../shared/rules/time.ts'

/**
 * The filters at `now` (epoch milliseconds). The status is `linkStatus` in SQL. Options are not
 * fields, because JSON is not searched.
 */
export function paymentLinkFilters(now: number): Fields {
  const status = sql`case when payment_links.status = 'ACTIVE'
    and payment_links.expires <= ${formatInstant(now)}
    then 'EXPIRED' else payment_links.status end`
  return {
    id: { type: 'id', column: 'payment_links.id', notNull: true },
    status: {
      type: 'enum',
      column: status,
      values: ['ACTIVE', 'PAYMENT_PENDING', 'PAYMENT_SUCCESS', 'EXPIRED'],
    },
    archived: { type: 'date', column: 'payment_links.archived' },
    expires: { type: 'date', column: 'payment_links.expires' },
    deep_link: { type: 'id', column: 'payment_links.deep_link_id' },
    account: { type: 'id', column: 'payment_links.account_id' },
    created: { type: 'date', column: 'payment_links.created', notNull: true },
    updated: { type: 'date', column: 'payment_links.updated', notNull: true },
  }
}
