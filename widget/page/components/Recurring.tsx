import type { CheckoutResult } from '../../../shared/page-model.ts'
import { dateText, recurringConsent, rhythmText } from '../../../shared/rules/recurring-text.ts'
import { usePage } from '../page-context.ts'

/** The sentence by which the payer allows the charges of a contract, or the saving of the method. */
export function Consent() {
  const { checkout, form, formatAmount, language, merchant, timezone, t } = usePage()
  const { recurring } = checkout.checkout.value.terms
  const amount = form.amount.value
  return (
    <p class="note consent">
      {recurring
        ? recurringConsent(t, recurring, {
            merchant,
            amount: amount === null ? t('consent.chosen_amount') : formatAmount(amount),
            language,
            timezone,
          })
        : t('consent.sentence', { merchant })}
    </p>
  )
}

/** The rows of a receipt about the contract that the payment began. */
export function contractRows(
  { language, timezone, t }: ReturnType<typeof usePage>,
  { recurring }: CheckoutResult,
): [string, string | null][] {
  if (!recurring) return []
  const { next_due: due } = recurring
  return [
    [t('checkout.recurring'), rhythmText(t, recurring)],
    [t('receipt.next_due'), due === null ? null : dateText(due, language, timezone)],
  ]
}
