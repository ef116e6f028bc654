import { amountText, currencyDigits } from '../../shared/rules/currency.ts'
import { moneyText } from '../../shared/rules/display.ts'
import { recurringConsent } from '../../shared/rules/recurring-text.ts'
import { type StringValues, translate } from '../../shared/rules/wording.ts'
import type { Consent } from '../payment-methods/consent.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import type { ResolvedTerms } from './resolve-terms.ts'
import type { CheckoutSession } from './session.ts'

/**
 * Returns the consent as this payer saw it, in the session's frozen strings: to a contract, also with a
 * method that is saved already, or to saving the method, by the string `consentId`. Null for neither.
 */
export function readConsent(
  { bundle, checkout, link, terms }: CheckoutSession & { terms: ResolvedTerms },
  consentId: string | null,
): Consent | null {
  const { language, strings } = bundle
  const { merchant, timezone } = checkout
  const { recurring } = parseLinkContent(link).options
  const t = (id: string, values?: StringValues) => translate(strings, language, id, values)
  if (recurring) {
    const amount = moneyText(toMoney(terms), language)
    const shown = { merchant, amount, language, timezone: timezone ?? 'UTC' }
    return { text: recurringConsent(t, recurring, shown), language }
  }
  return consentId === null ? null : { text: t(consentId, { merchant }), language }
}

function toMoney({ amount, currency }: ResolvedTerms) {
  const currency_digits = currencyDigits(currency) ?? 2
  return { amount: amountText(amount, currency), currency, currency_digits }
}
