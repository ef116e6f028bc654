import type { PaymentMethod } from '../../shared/schemas/payment-method.ts'
import type { PaymentMethodState } from './store.ts'

/** Leaves out the processor's token. */
export function serializePaymentMethod(row: PaymentMethodState): PaymentMethod {
  const isCard = row.type === 'CARD'
  return {
    id: row.id,
    account: row.account_id,
    type: row.type,
    label: [row.brand ?? row.type.toLowerCase().replaceAll('_', ' '), row.last4]
      .filter(Boolean)
      .join(' •••• '),
    card: isCard
      ? {
          brand: row.brand,
          last4: row.last4,
          exp_month: row.exp_month,
          exp_year: row.exp_year,
          funding: row.funding,
          country: row.country,
        }
      : null,
    bank: isCard ? null : { last4: row.last4, country: row.country },
    status: row.status_at,
    reusable: row.reusable === 1,
    default: Boolean(row.is_default),
    consent: JSON.parse(row.consent) as PaymentMethod['consent'],
    gateway: row.processor,
    fingerprint: row.fingerprint,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
