import { intlLanguage } from './wording.ts'

/** Numbers in a language, the same on the server and in the page. */

export interface Money {
  /** Decimal string in major units. */
  amount: string
  currency: string
  /** Decimals of the currency in ISO 4217. */
  currency_digits: number
}

/**
 * Returns an amount in the payer's language. The decimals are passed in, because `Intl` would print
 * 10.50 HUF as 11 HUF, which is not the price charged.
 */
export function moneyText(money: Money, language: string): string {
  // A decimal string keeps every digit; a float would not.
  return moneyFormat(money, language).format(money.amount as unknown as number)
}

/** Creating one takes ten milliseconds on a slow phone, and a page formats many amounts. */
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

/** Returns a language by its own name, capitalized for a menu: `Deutsch`, `Français`. */
export function languageName(code: string): string {
  const tag = code === 'default' ? 'en' : code
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}
