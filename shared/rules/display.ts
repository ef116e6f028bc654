import type { NumberStyle } from './typed-amount.ts'
import { intlLanguage } from './wording.ts'

/** How numbers read in a language, the same on the server and in the page. */

export interface Money {
  /** Decimal string in major units. */
  amount: string
  currency: string
  /** Decimals of the currency by ISO 4217. */
  currency_digits: number
}

/**
 * An amount in the payer's language. The decimals are passed in, because `Intl` would print
 * 10.50 HUF as 11 HUF: a price that nobody is charged (contract section 2).
 */
export function moneyText(money: Money, language: string): string {
  return new Intl.NumberFormat(intlLanguage(language), {
    style: 'currency',
    currency: money.currency,
    minimumFractionDigits: money.currency_digits,
    maximumFractionDigits: money.currency_digits,
    // A decimal string keeps every digit, where a float would not.
  }).format(money.amount as unknown as number)
}

/** How a language separates decimals and thousands. */
export function numberStyle(language: string): NumberStyle {
  const parts = new Intl.NumberFormat(intlLanguage(language)).formatToParts(1234567.5)
  const part = (type: string) => parts.find((found) => found.type === type)?.value
  return { decimal: part('decimal') ?? '.', group: part('group') ?? ',' }
}
