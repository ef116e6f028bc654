import iso4217 from 'currency-codes'
import { formatMinor } from './money.ts'

/**
 * Currencies and their decimals from ISO 4217. `Intl` has display digits, which differ from ISO for
 * sixteen circulating currencies, so that a payer would see a price other than the one charged.
 */

/** Circulating, but newer than the data package. */
const NEWER: Record<string, number> = { XCG: 2 }

/** X codes that are currencies; the others are metals, funds and test codes. */
const X_MONEY = new Set(['XAF', 'XCD', 'XCG', 'XOF', 'XPF'])

const DIGITS = new Map<string, number>([
  ...iso4217.data.map((currency): [string, number] => [currency.code, currency.digits]),
  ...Object.entries(NEWER),
])

/**
 * Returns the number of decimals of an ISO 4217 currency; undefined if the code is not a currency.
 */
export function currencyDigits(code: string): number | undefined {
  if (code.startsWith('X') && !X_MONEY.has(code)) return undefined
  return DIGITS.get(code)
}

/** Returns the currencies that have another number of decimals. */
export function currenciesWithout(digits: number): { code: string; digits: number }[] {
  return [...DIGITS]
    .filter(([code, own]) => own !== digits && currencyDigits(code) !== undefined)
    .map(([code, own]) => ({ code, digits: own }))
}

/**
 * Returns minor units (1050) as the API writes them ("10.50"), with the decimals of the currency.
 */
export function amountText(minor: number, currency: string): string {
  return formatMinor(minor, currencyDigits(currency) ?? 2)
}
