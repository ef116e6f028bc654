import { numberStyle } from '../../shared/rules/display.ts'
import { readTypedAmount, type TypedAmount } from '../../shared/rules/typed-amount.ts'
import type { Checkout } from './checkout.ts'

/** Reads an amount as the payer's language writes it, with the currency of the link or without. */
export function readAmount(typed: string, { checkout, model }: Checkout): TypedAmount {
  const { language, terms } = checkout.value
  return readTypedAmount(typed, {
    // The server has worked it out for the language that the page came in.
    style: language === model.checkout.language ? model.number_style : numberStyle(language),
    currency: terms.currency,
    digits: terms.currency_digits,
    languages: [language, ...model.languages],
  })
}
