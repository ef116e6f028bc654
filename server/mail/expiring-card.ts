import type { PaymentMethodRow } from '../db/tables/payment-methods.ts'

/** Returns the subject of the mail about a card and its expiry, so that a renewed card has its own. */
export function expiringCard({
  id,
  exp_year,
  exp_month,
}: Pick<PaymentMethodRow, 'id' | 'exp_year' | 'exp_month'>): string {
  return `${id} ${exp_year}-${exp_month}`
}
