import { ACCOUNT_FIELDS } from '../../server/accounts/filters.ts'
import { CHARGE_FIELDS } from '../../server/charges/filters.ts'
import { checkoutFields } from '../../server/checkouts/filters.ts'
import { CONTRACT_FIELDS } from '../../server/contracts/filters.ts'
import type { Field, Fields } from '../../server/criteria/fields.ts'
import { EVENT_FIELDS } from '../../server/events/filters.ts'
import { paymentLinkFields } from '../../server/payment-links/filters.ts'
import { paymentMethodFields } from '../../server/payment-methods/filters.ts'
import {
  CAPTURE_FIELDS,
  PAYMENT_FIELDS,
  REFUND_FIELDS,
  REVERSAL_FIELDS,
  VOID_FIELDS,
} from '../../server/payments/filters.ts'
import { DELIVERY_FIELDS, WEBHOOK_FIELDS } from '../../server/webhooks/filters.ts'
import type { Json } from '../merchant.ts'
import type { Names } from './names.ts'

/** What every list can be asked about somebody's records. */

export interface List {
  /** The member of the answer that holds the records. */
  member: string
  path: (own: Names) => string
  fields: (now: number) => Fields
}

const plain = (member: string, fields: (now: number) => Fields): List => ({
  member,
  path: () => `/${member}`,
  fields,
})

/** By operation: every list with criteria needs an entry. */
export const LISTS: Record<string, List> = {
  'GET /accounts': plain('accounts', () => ACCOUNT_FIELDS),
  'GET /payment_methods': plain('payment_methods', paymentMethodFields),
  'GET /contracts': plain('contracts', () => CONTRACT_FIELDS),
  'GET /charges': plain('charges', () => CHARGE_FIELDS),
  'GET /payment_links': plain('payment_links', paymentLinkFields),
  'GET /checkouts': plain('checkouts', checkoutFields),
  'GET /payments': plain('payments', () => PAYMENT_FIELDS),
  'GET /captures': plain('captures', () => CAPTURE_FIELDS),
  'GET /refunds': plain('refunds', () => REFUND_FIELDS),
  'GET /reversals': plain('reversals', () => REVERSAL_FIELDS),
  'GET /voids': plain('voids', () => VOID_FIELDS),
  'GET /events': plain('events', () => EVENT_FIELDS),
  'GET /instance_webhooks': plain('instance_webhooks', () => WEBHOOK_FIELDS),
  'GET /instance_webhooks/{id}/deliveries': {
    member: 'deliveries',
    path: ({ webhook }) => `/instance_webhooks/${webhook}/deliveries`,
    fields: () => DELIVERY_FIELDS,
  },
}

/**
 * Criteria that somebody's records meet, and others that leave only them out: one for each field
 * and operator, with the values that the records have.
 */
export function criteriaFor(fields: Fields, records: readonly Json[]): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const values = new Set(records.flatMap((record) => valueOf(record, name, field)))
    const [one, two = one] = [...values]
    const always = [`${name}!!`, `${name}!`]
    if (one === undefined || two === undefined) return always
    return [...always, ...operands(field, one, two).map((operand) => `${name}${operand}`)]
  })
}

function operands({ type }: Field, one: string, two: string): string[] {
  if (type === 'flag') return ['=Y', '=N', '!=Y']
  const any = [`=${one}`, `!=${one}`, `=${one};${two}`, `!=${one};${two}`]
  if (type === 'id' || type === 'enum') return any
  const bounds = [`>=${one}`, `<=${one}`, `<>${[one, two].toSorted().join(';')}`]
  return type === 'text' ? [...any, ...bounds, `~=${one}`] : [...any, ...bounds]
}

/** What a record holds under the name of a field, as criteria write it. */
function valueOf(record: Json, name: string, { type }: Field): string[] {
  const value: unknown = record[name] ?? record.card?.[name]
  if (type === 'flag') return ['Y']
  return typeof value === 'string' ? [value.replaceAll(/[,;\\]/g, '\\$&')] : []
}
