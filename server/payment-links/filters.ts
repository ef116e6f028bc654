import { sql } from 'kysely'
import type { Fields } from '../criteria/fields.ts'
import { formatInstant } from '../../shared/rules/time.ts'

/** What a link without a currency is paid in. */
const CURRENCY = sql`coalesce(payment_links.currency,
  (select default_currency from instances where instances.id = payment_links.instance_id))`

/**
 * The filters at `now` (epoch milliseconds). The status is `linkStatus` in SQL. Of the options those
 * are fields that have columns, because JSON is not searched.
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
    name: { type: 'text', column: 'payment_links.name_lower', lower: 'payment_links.name_lower' },
    alt_key: {
      type: 'text',
      column: 'payment_links.alt_key_lower',
      lower: 'payment_links.alt_key_lower',
    },
    amount: { type: 'amount', column: 'payment_links.amount_e4', decimals: 4 },
    currency: { type: 'text', column: CURRENCY },
    channel: {
      type: 'text',
      column: 'payment_links.channel_lower',
      lower: 'payment_links.channel_lower',
    },
    deep_link: { type: 'id', column: 'payment_links.deep_link_id' },
    account: { type: 'id', column: 'payment_links.account_id' },
    created: { type: 'date', column: 'payment_links.created', notNull: true },
    updated: { type: 'date', column: 'payment_links.updated', notNull: true },
  }
}
