import { formatMinor, parseAmount } from '../../shared/rules/money.ts'
import { numberStyle } from '../../shared/rules/number-style.ts'
import { readTypedAmount } from '../../shared/rules/typed-amount.ts'
import { language } from '../words.ts'

/** Returns the decimals of an amount as the API writes it, which are those of its currency. */
export const digitsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0

/** Returns integer minor units of an amount of the API. Throws an Error for any other text. */
export function minorOf(amount: string): number {
  const parsed = parseAmount(amount, digitsOf(amount))
  if (!parsed.ok) throw new Error(`not an amount: ${amount}`)
  return parsed.minor
}

/** Returns `first` less `others`, all of one currency. */
export function subtract(first: string, ...others: readonly string[]): string {
  const minor = others.reduce((left, amount) => left - minorOf(amount), minorOf(first))
  return minor < 0
    ? `-${formatMinor(-minor, digitsOf(first))}`
    : formatMinor(minor, digitsOf(first))
}

/** Returns half of an amount, rounded down to a minor unit. */
export const half = (amount: string): string =>
  formatMinor(Math.floor(minorOf(amount) / 2), digitsOf(amount))

/**
 * Reads an amount that a person typed, in the style of their language. Returns undefined for a text
 * that is none, or that could mean two amounts.
 */
export function readTyped(typed: string, currency: string, digits: number): string | undefined {
  const languages = [language(), 'en']
  const read = readTypedAmount(typed, {
    style: numberStyle(language()),
    currency,
    digits,
    languages,
  })
  return read.state === 'READ' && !read.ambiguous ? read.amount : undefined
}
