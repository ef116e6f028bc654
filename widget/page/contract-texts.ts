import type { CheckoutResult } from '../../shared/page-model.ts'
import {
  dateText,
  recurringConsent,
  type Rhythm,
  rhythmText,
} from '../../shared/rules/recurring-text.ts'
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

/** Returns the price of a free trial in words, such as `14 days free`; undefined for other links. */
export function trialPrice({ checkout, t }: ContractPage): string | undefined {
  const count = checkout.checkout.value.terms.recurring?.trial_days
  return count === undefined ? undefined : t('checkout.trial', { count })
}

/** Returns how often a contract charges; after a free trial also how much, and that nothing is due now. */
export function rhythmSentence(page: ContractPage, recurring: Rhythm): string {
  const { t } = page
  const rhythm = rhythmText(t, recurring)
  return recurring.trial_days
    ? t('checkout.trial_then', { amount: amountOf(page), rhythm })
    : rhythm
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
  const { amount, next_due: due } = recurring
  const price = formatMoney({ ...result, amount })
  return [
    [t('checkout.recurring'), `${price} · ${rhythmText(t, recurring)}`],
    [t('receipt.next_due'), due === null ? null : dateText(due, language, zoneOf(page))],
  ]
}

/** The zone of dates; undefined for the browser's. Hydration starts from UTC, as the server does. */
export function zoneOf({ checkout }: Pick<ContractPage, 'checkout'>): string | undefined {
  return checkout.checkout.value.timezone ?? (checkout.hydrated.value ? undefined : 'UTC')
}
