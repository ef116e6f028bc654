import { cardBrand } from './brands.ts'
import { digitsOf } from './card-number.ts'

export type NumberProblem = 'MISSING' | 'INCOMPLETE' | 'INVALID'

/** What is wrong with a card number, or null. The check digit decides only once it is complete. */
export function cardNumberProblem(text: string): NumberProblem | null {
  const digits = digitsOf(text)
  if (digits === '') return 'MISSING'
  const { lengths } = cardBrand(digits)
  if (digits.length < Math.min(...lengths)) return 'INCOMPLETE'
  if (hasCheckDigit(digits) && lengths.includes(digits.length)) return null
  return digits.length < Math.max(...lengths) && !lengths.includes(digits.length)
    ? 'INCOMPLETE'
    : 'INVALID'
}

/** Whether the last digit is the right check digit (ISO/IEC 7812, Luhn). */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let place = 1; place <= digits.length; place += 1) {
    const digit = Number(digits.at(-place))
    sum += place % 2 === 1 ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
  }
  return digits !== '' && sum % 10 === 0
}
