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
  // A decimal string keeps every digit, where a float would not.
  return moneyFormat(money, language).format(money.amount as unknown as number)
}

/** Making one costs a slow phone ten milliseconds, and a page writes an amount many times. */
const formats = new Map<string, Intl.NumberFormat>()

function moneyFormat(money: Money, language: string): Intl.NumberFormat {
  const { currency, currency_digits: digits } = money
  const key = `${language} ${currency} ${digits}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(intlLanguage(language), {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  formats.set(key, format)
  return format
}

/** How a language separates decimals and thousands. */
export function numberStyle(language: string): NumberStyle {
  const parts = new Intl.NumberFormat(intlLanguage(language)).formatToParts(1234567.5)
  const part = (type: string) => parts.find((found) => found.type === type)?.value
  return { decimal: part('decimal') ?? '.', group: part('group') ?? ',' }
}

/** A language by its own name: `Deutsch`, `Français`. Some write it with a small letter; a menu does not. */
export function languageName(code: string): string {
  const tag = code === 'default' ? 'en' : code
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}
