import type { CheckoutResult } from '../../shared/page-model.ts'
import { dateText, recurringConsent, rhythmText } from '../../shared/rules/recurring-text.ts'
import type { ContractPage } from './chunks.ts'

/** Returns the sentences by which the payer allows the charges of a contract; undefined without one. */
export function consentText(page: ContractPage): string | undefined {
  const { checkout, language, merchant, t } = page
  const { recurring } = checkout.checkout.value.terms
  return (
    recurring &&
    recurringConsent(t, recurring, {
      merchant,
      amount: amountOf(page),
      language,
      timezone: zoneOf(page),
    })
  )
}

/** Returns the price of a free trial, and what follows it, in words; undefined for other links. */
export function trialTexts(page: ContractPage): { price: string; after: string } | undefined {
  const { checkout, t } = page
  const { recurring } = checkout.checkout.value.terms
  const count = recurring?.trial_days
  if (!recurring || count === undefined) return undefined
  const values = { amount: amountOf(page), rhythm: rhythmText(t, recurring) }
  return { price: t('checkout.trial', { count }), after: t('checkout.trial_then', values) }
}

function amountOf({ form, formatAmount, t }: ContractPage): string {
  const amount = form.amount.value
  return amount === null ? t('consent.chosen_amount') : formatAmount(amount)
}

/** Returns the rows of a receipt about the contract that the payment or free trial began. */
export function contractRows(
  page: ContractPage,
  result: CheckoutResult,
): [string, string | null][] {
  const { recurring } = result
  if (!recurring) return []
  const { formatMoney, language, t } = page
  const { amount, next_due: due, trial_days } = recurring
  const rhythm = rhythmText(t, recurring)
  // A free trial has taken nothing, so its receipt has another amount than its charges.
  const charged = trial_days && `${formatMoney({ ...result, amount })} · ${rhythm}`
  return [
    [t('checkout.recurring'), charged || rhythm],
    [t('receipt.next_due'), due === null ? null : dateText(due, language, zoneOf(page))],
  ]
}

/** The zone of dates; undefined for the browser's. Hydration starts from UTC, as the server does. */
export function zoneOf({ checkout }: Pick<ContractPage, 'checkout'>): string | undefined {
  return checkout.checkout.value.timezone ?? (checkout.hydrated.value ? undefined : 'UTC')
}
