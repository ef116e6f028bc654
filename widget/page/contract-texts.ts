import type { CheckoutResult } from '../../shared/page-model.ts'
import { dateText, recurringConsent, rhythmText } from '../../shared/rules/recurring-text.ts'
import type { ContractPage } from './chunks.ts'

/** Returns the sentences by which the payer allows the charges of a contract; undefined without one. */
export function consentText(page: ContractPage): string | undefined {
  const { checkout, form, formatAmount, language, merchant, t } = page
  const { recurring } = checkout.checkout.value.terms
  const amount = form.amount.value
  return (
    recurring &&
    recurringConsent(t, recurring, {
      merchant,
      amount: amount === null ? t('consent.chosen_amount') : formatAmount(amount),
      language,
      timezone: zoneOf(page),
    })
  )
}

/** Returns the rows of a receipt about the contract that the payment began. */
export function contractRows(
  page: ContractPage,
  { recurring }: CheckoutResult,
): [string, string | null][] {
  if (!recurring) return []
  const { language, t } = page
  const { next_due: due } = recurring
  return [
    [t('checkout.recurring'), rhythmText(t, recurring)],
    [t('receipt.next_due'), due === null ? null : dateText(due, language, zoneOf(page))],
  ]
}

/** The zone of dates; undefined for the browser's. Hydration starts from UTC, as the server does. */
export function zoneOf({ checkout }: Pick<ContractPage, 'checkout'>): string | undefined {
  return checkout.checkout.value.timezone ?? (checkout.hydrated.value ? undefined : 'UTC')
}
