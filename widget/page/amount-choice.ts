import type { CheckoutTerms, CheckoutView, PageModel } from '../../shared/page-model.ts'
import { brokenBound, productText } from '../../shared/rules/amount-choice.ts'
import { moneyText } from '../../shared/rules/display.ts'
import { numberStyle } from '../../shared/rules/number-style.ts'
import { parseAmount } from '../../shared/rules/money.ts'
import { readTypedAmount, type TypedAmount } from '../../shared/rules/typed-amount.ts'
import type { FieldSignals } from './fields.ts'
import type { MessageDescriptor } from './translator.ts'

/** Returns the amount that the payer picked, or typed in the number style of the page's language. */
export function readAmount(
  values: FieldSignals,
  { language, terms }: CheckoutView,
  model: PageModel,
): TypedAmount {
  const picked = pickedAmount(values, terms)
  if (picked !== undefined) return { state: 'READ', amount: picked, ambiguous: false }
  return readTypedAmount(values.amount.value, {
    // The server sends the style of the first language.
    style: language === model.checkout.language ? model.number_style : numberStyle(language),
    currency: terms.currency,
    digits: terms.currency_digits,
    languages: [language, ...model.languages],
  })
}

function pickedAmount(values: FieldSignals, terms: CheckoutTerms): string | undefined {
  const { choice, currency_digits } = terms
  if (choice?.unit_amount !== undefined) {
    return productText(
      choice.unit_amount,
      readQuantity(values.quantity.value, terms),
      currency_digits,
    )
  }
  return choice?.amount_presets?.find((amount) => amount === readPreset(values.preset.value, terms))
}

/** Returns the quantity of the field, which is 1 at first, within what the link allows now. */
export function readQuantity(text: string, { choice }: CheckoutTerms): number {
  return Math.min(Math.max(Math.trunc(Number(text)) || 1, 1), choice?.quantity_max ?? 1)
}

export const OTHER = 'other'

/**
 * Returns the chosen preset; `OTHER` for an amount of the payer's own, and an empty text before a choice.
 * The default amount is chosen at first.
 */
export function readPreset(chosen: string, { amount, choice }: CheckoutTerms): string {
  const preset = chosen || (amount ?? '')
  return preset === '' || choice?.amount_presets?.includes(preset) ? preset : OTHER
}

/** Returns the error of an amount that is zero or outside of the bounds. */
export function checkRange(amount: string, checkout: CheckoutView): MessageDescriptor | undefined {
  if (!/[1-9]/.test(amount)) return { id: 'checkout.amount_zero' }
  const { choice = {}, currency_digits } = checkout.terms
  const parsed = parseAmount(amount, currency_digits)
  const isWithin = parsed.ok && !brokenBound(choice, parsed.minor, currency_digits)
  return isWithin ? undefined : boundsMessage(checkout)
}

/** Returns the sentence that says which amounts a link takes; undefined if it takes every one. */
export function boundsMessage({ terms, language }: CheckoutView): MessageDescriptor | undefined {
  const { amount_min, amount_max } = terms.choice ?? {}
  const text = (amount: string) => moneyText({ ...terms, amount }, language)
  if (amount_min === undefined) {
    if (amount_max === undefined) return undefined
    return { id: 'checkout.amount_most', values: { max: text(amount_max) } }
  }
  if (amount_max === undefined) {
    return { id: 'checkout.amount_least', values: { min: text(amount_min) } }
  }
  const values = { min: text(amount_min), max: text(amount_max) }
  return { id: 'checkout.amount_between', values }
}
