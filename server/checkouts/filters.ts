import { sql } from 'kysely'
import type { Fields } from '../criteria/fields.ts'
import { formatInstant } from '../../shared/rules/time.ts'

/** The filters at `now` (epoch milliseconds). The status is `checkoutStatus` in SQL. */
export function checkoutFilters(now: number): Fields {
  const status = sql`case when checkouts.status = 'OPEN'
    and checkouts.expires <= ${formatInstant(now)}
    then case when checkouts.milestones = '{}' then 'EXPIRED' else 'ABANDONED' end
    else checkouts.status end`
  return {
    id: { type: 'id', column: 'checkouts.id', notNull: true },
    payment_link: { type: 'id', column: 'checkouts.payment_link_id' },
    deep_link: { type: 'id', column: 'checkouts.deep_link_id' },
    account: { type: 'id', column: 'checkouts.account_id' },
    legal_entity: { type: 'id', column: 'checkouts.legal_entity_id' },
    status: {
      type: 'enum',
      column: status,
      values: ['OPEN', 'SUBMITTED', 'COMPLETED', 'PENDING', 'EXPIRED', 'ABANDONED'],
    },
    language: { type: 'text', column: 'checkouts.language' },
    branding: { type: 'text', column: 'checkouts.branding' },
    currency: { type: 'text', column: 'checkouts.currency' },
    expires: { type: 'date', column: 'checkouts.expires', notNull: true },
    created: { type: 'date', column: 'checkouts.created', notNull: true },
    updated: { type: 'date', column: 'checkouts.updated', notNull: true },
  }
}
