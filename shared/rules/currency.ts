import iso4217 from 'currency-codes'
import { formatMinor } from './money.ts'

/**
 * Which codes are money, and how many decimals each has, from the ISO 4217 list.
 *
 * Never from `Intl`: it gives display digits, which differ from ISO for sixteen circulating
 * currencies, and a payer would then see a price that is not the one charged.
 */

/** In circulation, but newer than the list that the data package carries. */
const NEWER: Record<string, number> = { XCG: 2 }

/** The X codes that are money; the others are metals, funds, tests and "no currency". */
const X_MONEY = new Set(['XAF', 'XCD', 'XCG', 'XOF', 'XPF'])

const DIGITS = new Map<string, number>([
  ...iso4217.data.map((currency): [string, number] => [currency.code, currency.digits]),
  ...Object.entries(NEWER),
])

/**
 * The number of decimals of an ISO 4217 currency, or undefined when the code is not money.
 * Serves `currency` of payment links and payments (contract section 2).
 */
export function currencyDigits(code: string): number | undefined {
  if (code.startsWith('X') && !X_MONEY.has(code)) return undefined
  return DIGITS.get(code)
}

/** Minor units (1050) as the API writes them ("10.50"): with exactly the currency's decimals. */
export function amountText(minor: number, currency: string): string {
  return formatMinor(minor, currencyDigits(currency) ?? 2)
}
