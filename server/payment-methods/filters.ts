import { type RawBuilder, sql } from 'kysely'
import type { Fields } from '../criteria/fields.ts'

/** Table alias in the query. */
type Alias = 'payment_methods' | 'newer'

/**
 * The status at `now` (epoch milliseconds) in SQL: a card whose month has ended in UTC is EXPIRED
 * without an update of its row.
 */
export function paymentMethodStatus(
  now: number,
  alias: Alias = 'payment_methods',
): RawBuilder<'ACTIVE' | 'EXPIRED' | 'REMOVED'> {
  const date = new Date(now)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + 1
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`case when ${column('status')} = 'ACTIVE'
    and ${column('exp_year')} * 12 + ${column('exp_month')} < ${month}
    then 'EXPIRED' else ${column('status')} end`
}

/** The filters at `now` (epoch milliseconds). */
export function paymentMethodFilters(now: number): Fields {
  return {
    id: { type: 'id', column: 'payment_methods.id', notNull: true },
    account: { type: 'id', column: 'payment_methods.account_id', notNull: true },
    type: { type: 'text', column: 'payment_methods.type' },
    status: {
      type: 'enum',
      column: paymentMethodStatus(now),
      values: ['ACTIVE', 'EXPIRED', 'REMOVED'],
    },
    brand: { type: 'text', column: 'payment_methods.brand' },
    last4: { type: 'text', column: 'payment_methods.last4' },
    reusable: { type: 'flag', column: 'payment_methods.reusable' },
    fingerprint: { type: 'id', column: 'payment_methods.fingerprint', notNull: true },
    created: { type: 'date', column: 'payment_methods.created', notNull: true },
    updated: { type: 'date', column: 'payment_methods.updated', notNull: true },
  }
}
