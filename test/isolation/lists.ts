import { ACCOUNT_FILTERS } from '../../server/accounts/filters.ts'
import { AUDIT_FILTERS } from '../../server/audit/filters.ts'
import { CHARGE_FILTERS } from '../../server/charges/filters.ts'
import { STUCK_FILTERS } from '../../server/checkout-monitor/stuck.ts'
import { checkoutFilters } from '../../server/checkouts/filters.ts'
import { CONTRACT_FILTERS } from '../../server/contracts/filters.ts'
import type { Field, Fields } from '../../server/criteria/fields.ts'
import { LEGAL_ENTITY_FILTERS } from '../../server/legal-entities/filters.ts'
import { ROUTE_FILTERS } from '../../server/legal-entity-routes/filters.ts'
import { deepLinkFilters } from '../../server/deep-links/filters.ts'
import { EVENT_FILTERS } from '../../server/events/filters.ts'
import { paymentLinkFilters } from '../../server/payment-links/filters.ts'
import { paymentMethodFilters } from '../../server/payment-methods/filters.ts'
import {
  CAPTURE_FILTERS,
  PAYMENT_FILTERS,
  REFUND_FILTERS,
  REVERSAL_FILTERS,
  VOID_FILTERS,
} from '../../server/payments/filters.ts'
import { USER_FILTERS, USER_SESSION_FILTERS } from '../../server/user-management/filters.ts'
import { GRANT_FILTERS } from '../../server/oauth/grant-routes.ts'
import { PROCESSOR_FILTERS } from '../../server/processor-connections/filters.ts'
import { ACK_FILTERS, OVERRIDE_FILTERS, REVISION_FILTERS } from '../../server/strings/filters.ts'
import { VIEW_FILTERS } from '../../server/views/filters.ts'
import { SECRET_KEY_FILTERS } from '../../server/secret-keys/filters.ts'
import { DELIVERY_FILTERS, WEBHOOK_FILTERS } from '../../server/webhooks/filters.ts'
import type { Json } from '../payments-client.ts'
import type { Names } from './names.ts'

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
  'GET /accounts': plain('accounts', () => ACCOUNT_FILTERS),
  'GET /payment_methods': plain('payment_methods', paymentMethodFilters),
  'GET /contracts': plain('contracts', () => CONTRACT_FILTERS),
  'GET /charges': plain('charges', () => CHARGE_FILTERS),
  'GET /payment_links': plain('payment_links', paymentLinkFilters),
  'GET /deep_links': plain('deep_links', deepLinkFilters),
  'GET /deep_links/{id}/payment_links': {
    member: 'payment_links',
    path: ({ deepLink }) => `/deep_links/${deepLink}/payment_links`,
    fields: paymentLinkFilters,
  },
  'GET /checkouts': plain('checkouts', checkoutFilters),
  'GET /checkout_monitor/stuck': {
    member: 'stuck',
    path: () => '/checkout_monitor/stuck',
    fields: () => STUCK_FILTERS,
  },
  'GET /payments': plain('payments', () => PAYMENT_FILTERS),
  'GET /captures': plain('captures', () => CAPTURE_FILTERS),
  'GET /refunds': plain('refunds', () => REFUND_FILTERS),
  'GET /reversals': plain('reversals', () => REVERSAL_FILTERS),
  'GET /voids': plain('voids', () => VOID_FILTERS),
  'GET /events': plain('events', () => EVENT_FILTERS),
  'GET /legal_entities': plain('legal_entities', () => LEGAL_ENTITY_FILTERS),
  'GET /legal_entity_routes': plain('legal_entity_routes', () => ROUTE_FILTERS),
  'GET /string_acks': plain('string_acks', () => ACK_FILTERS),
  'GET /string_overrides': plain('string_overrides', () => OVERRIDE_FILTERS),
  'GET /string_revisions': plain('string_revisions', () => REVISION_FILTERS),
  'GET /processors': plain('processors', () => PROCESSOR_FILTERS),
  'GET /oauth_grants': plain('oauth_grants', () => GRANT_FILTERS),
  'GET /users': plain('users', () => USER_FILTERS),
  'GET /user_sessions': plain('user_sessions', () => USER_SESSION_FILTERS),
  'GET /audit': plain('audit', () => AUDIT_FILTERS),
  'GET /views': plain('views', () => VIEW_FILTERS),
  'GET /secret_keys': plain('secret_keys', () => SECRET_KEY_FILTERS),
  'GET /instance_webhooks': plain('instance_webhooks', () => WEBHOOK_FILTERS),
  'GET /deliveries': plain('deliveries', () => DELIVERY_FILTERS),
  'GET /instance_webhooks/{id}/deliveries': {
    member: 'deliveries',
    path: ({ webhook }) => `/instance_webhooks/${webhook}/deliveries`,
    fields: () => DELIVERY_FILTERS,
  },
}

/**
 * Criteria that a tenant's records meet, and others that exclude only them: one for each field
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
