import { amountText, currencyDigits } from '../../shared/rules/currency.ts'
import { moneyText } from '../../shared/rules/display.ts'
import { recurringConsent } from '../../shared/rules/recurring-text.ts'
import { type StringValues, translate } from '../../shared/rules/wording.ts'
import type { Consent } from '../payment-methods/save.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import type { ResolvedTerms } from './resolve-terms.ts'
import type { CheckoutSession } from './session.ts'

/**
 * Returns the consent as this payer saw it, in the session's frozen strings; null for a method that is
 * not saved. `consentId` is the string of a method that is saved without a contract.
 */
export function consentJson(
  { bundle, checkout, link, terms }: CheckoutSession & { terms: ResolvedTerms },
  consentId: string | null,
): string | null {
  if (consentId === null) return null
  const { language, strings } = bundle
  const { merchant, timezone } = checkout
  const { recurring } = parseLinkContent(link).options
  const t = (id: string, values?: StringValues) => translate(strings, language, id, values)
  const text = recurring
    ? recurringConsent(t, recurring, {
        merchant,
        amount: moneyText(toMoney(terms), language),
        language,
        timezone: timezone ?? 'UTC',
      })
    : t(consentId, { merchant })
  return JSON.stringify({ text, language } satisfies Consent)
}

function toMoney({ amount, currency }: ResolvedTerms) {
  const currency_digits = currencyDigits(currency) ?? 2
  return { amount: amountText(amount, currency), currency, currency_digits }
}
