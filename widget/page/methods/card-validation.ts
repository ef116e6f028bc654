import { passesLuhn } from '../../../shared/rules/luhn.ts'
import type { StringId } from '../translator.ts'
import { ANY_BRAND, cardBrand, type CardBrand } from './brands.ts'
import { digitsOf } from './card-number.ts'

/** Cards are issued for fewer years. */
const EXPIRY_YEARS_MAX = 30

export interface Expiry {
  month: number
  year: number
}

/** Returns the string id of the error, or null. The check digit decides once the number is complete. */
export function cardNumberError(text: string): StringId | null {
  const digits = digitsOf(text)
  if (digits === '') return 'card.number_missing'
  const { lengths } = cardBrand(digits)
  if (digits.length < Math.min(...lengths)) return 'card.number_incomplete'
  const complete = lengths.includes(digits.length)
  if (passesLuhn(digits) && complete) return null
  return digits.length < Math.max(...lengths) && !complete
    ? 'card.number_incomplete'
    : 'card.number_invalid'
}

/**
 * Parses `MM / YY`, or returns the string id of the error. A card is valid to the end of its month in
 * the time zone twelve hours behind UTC, where the month ends last. `now` is epoch milliseconds.
 */
export function parseExpiry(text: string, now: number): Expiry | { error: StringId } {
  const digits = digitsOf(text)
  if (digits === '') return { error: 'card.expiry_missing' }
  if (digits.length < 4) return { error: 'card.expiry_incomplete' }
  const month = Number(digits.slice(0, 2))
  const year = 2000 + Number(digits.slice(2, 4))
  if (month < 1 || month > 12) return { error: 'card.expiry_month' }
  if (Date.UTC(year, month, 1, 12) <= now) return { error: 'card.expiry_past' }
  if (year > new Date(now).getUTCFullYear() + EXPIRY_YEARS_MAX) return { error: 'card.expiry_far' }
  return { month, year }
}

/** Returns the string id of the error, or null. */
export function securityCodeError(code: string, brand: CardBrand): StringId | null {
  const { length } = digitsOf(code)
  if (length === 0) return 'card.code_missing'
  // Of an unknown brand three digits are enough, too.
  const valid = brand === ANY_BRAND ? length >= 3 : length === brand.codeLength
  if (valid) return null
  return brand.codeLength === 4 ? 'card.code_four_digits' : 'card.code_three_digits'
}
