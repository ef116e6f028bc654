import type { CheckoutRow, Instance } from '../db/rows.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'

/**
 * Returns the currency of the link, else of the session, else the instance's default. The session's
 * comes before the default, so that a new default changes no open page.
 */
export function resolveCurrency(
  instance: Instance,
  options: PaymentLinkOptions,
  checkout: CheckoutRow | undefined,
): string {
  return options.currency ?? checkout?.currency ?? instance.default_currency
}
