import { digitsOf } from './card-number.ts'

export interface Expiry {
  month: number
  year: number
}

export type ExpiryProblem = 'MISSING' | 'INCOMPLETE' | 'INVALID_MONTH' | 'PAST' | 'FAR'

/** No card is issued for longer; a year beyond is a slip of the finger. */
const YEARS_MAX = 30

/**
 * Reads `MM / YY`. A card is good until the end of its month, which ends last in the zone twelve
 * hours behind UTC: a card that may still be good somewhere is left to its bank. `now` is epoch
 * milliseconds.
 */
export function readExpiry(text: string, now: number): Expiry | { problem: ExpiryProblem } {
  const digits = digitsOf(text)
  if (digits === '') return { problem: 'MISSING' }
  if (digits.length < 4) return { problem: 'INCOMPLETE' }
  const month = Number(digits.slice(0, 2))
  const year = 2000 + Number(digits.slice(2, 4))
  if (month < 1 || month > 12) return { problem: 'INVALID_MONTH' }
  if (Date.UTC(year, month, 1, 12) <= now) return { problem: 'PAST' }
  if (year > new Date(now).getUTCFullYear() + YEARS_MAX) return { problem: 'FAR' }
  return { month, year }
}
