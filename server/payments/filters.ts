import { sql } from 'kysely'
import { currenciesWithout } from '../../shared/rules/currency.ts'
import { reversalType } from '../../shared/schemas/reversal.ts'
import type { Fields } from '../criteria/fields.ts'

/** The amount at four decimals, whatever the currency: amounts are stored in minor units. */
const AMOUNT_E4 = sql`payments.amount * case ${sql.join(
  currenciesWithout(2).map(
    ({ code, digits }) =>
      sql`when payments.currency = ${sql.lit(code)} then ${sql.lit(10 ** (4 - digits))}`,
  ),
  sql` `,
)} else 100 end`

const STATUSES = [
  'SUCCESS',
  'DECLINE',
  'PENDING',
  'SCHEDULED',
  'UNRESOLVED',
  'VOIDED',
  'CANCELLED',
] as const
const REFUND_STATUSES = [
  'SUCCESS',
  'PENDING',
  'DECLINED',
  'INVALID_PAYMENT_METHOD',
  'UNRESOLVED',
  'UNATTRIBUTED',
] as const

/** Fields of payments, authorizations and captures. */
const COMMON = {
  id: { type: 'id', column: 'payments.id', notNull: true },
  status: { type: 'enum', column: 'payments.status', values: STATUSES },
  alt_key: {
    type: 'text',
    column: 'payments.alt_key',
    lower: 'payments.alt_key_lower',
    folded: 'payments.alt_key_folded',
  },
  reference: { type: 'text', column: 'payments.reference' },
  amount: { type: 'amount', column: AMOUNT_E4, decimals: 4, notNull: true },
  currency: { type: 'text', column: 'payments.currency' },
  source: { type: 'text', column: 'payments.source' },
  channel: { type: 'text', column: 'payments.channel', lower: 'payments.channel_lower' },
  account: { type: 'id', column: 'payments.account_id' },
  payment_method: { type: 'id', column: 'payments.payment_method_id' },
  legal_entity: { type: 'id', column: 'payments.legal_entity_id' },
  processed: { type: 'date', column: 'payments.processed' },
  created: { type: 'date', column: 'payments.created', notNull: true },
  updated: { type: 'date', column: 'payments.updated', notNull: true },
} as const satisfies Fields

/** A capture always belongs to an authorization, and no other record refers to it. */
export const CAPTURE_FILTERS: Fields = {
  ...COMMON,
  type: { type: 'enum', column: 'payments.type', values: ['CAPTURE'] },
  authorisation: { type: 'id', column: 'payments.authorisation_id' },
}

export const PAYMENT_FILTERS: Fields = {
  ...COMMON,
  type: { type: 'enum', column: 'payments.type', values: ['PAYMENT', 'AUTH'] },
  contract: { type: 'id', column: 'payments.contract_id' },
  charge: { type: 'id', column: 'payments.charge_id' },
  payment_link: { type: 'id', column: 'payments.payment_link_id' },
  due: { type: 'date', column: 'payments.due' },
}

export const REFUND_FILTERS: Fields = {
  id: { type: 'id', column: 'refunds.id', notNull: true },
  payment: { type: 'id', column: 'refunds.payment_id' },
  status: { type: 'enum', column: 'refunds.status', values: REFUND_STATUSES },
  reference: { type: 'text', column: 'refunds.reference', lower: 'refunds.reference_lower' },
  reason: { type: 'text', column: 'refunds.reason', lower: 'refunds.reason_lower' },
  currency: { type: 'text', column: 'refunds.currency' },
  account: { type: 'id', column: 'refunds.account_id' },
  legal_entity: { type: 'id', column: 'refunds.legal_entity_id' },
  manual: { type: 'flag', column: 'refunds.manual' },
  offline: { type: 'flag', column: 'refunds.offline' },
  processed: { type: 'date', column: 'refunds.processed' },
  created: { type: 'date', column: 'refunds.created', notNull: true },
  updated: { type: 'date', column: 'refunds.updated', notNull: true },
}

export const REVERSAL_FILTERS: Fields = {
  id: { type: 'id', column: 'reversals.id', notNull: true },
  payment: { type: 'id', column: 'reversals.payment_id' },
  type: { type: 'enum', column: 'reversals.type', values: reversalType.options },
  status: { type: 'enum', column: 'reversals.status', values: ['OPEN', 'WON', 'LOST'] },
  currency: { type: 'text', column: 'reversals.currency' },
  due: { type: 'date', column: 'reversals.due' },
  created: { type: 'date', column: 'reversals.created', notNull: true },
  updated: { type: 'date', column: 'reversals.updated', notNull: true },
}

export const VOID_FILTERS: Fields = {
  id: { type: 'id', column: 'voids.id', notNull: true },
  payment: { type: 'id', column: 'voids.payment_id' },
  status: {
    type: 'enum',
    column: 'voids.status',
    values: ['SUCCESS', 'PENDING', 'DECLINED', 'UNRESOLVED'],
  },
  currency: { type: 'text', column: 'voids.currency' },
  processed: { type: 'date', column: 'voids.processed' },
  created: { type: 'date', column: 'voids.created', notNull: true },
  updated: { type: 'date', column: 'voids.updated', notNull: true },
}
