import { westernDigits } from '../../../shared/rules/western-digits.ts'
import { cardBrand } from './brands.ts'
import { regroup } from './grouped-text.ts'
import type { Edit, Typing } from './grouped-text.ts'

/** The digits of what was typed, pasted or filled in, in whatever script. */
export function digitsOf(text: string): string {
  return westernDigits(text).replace(/[^0-9]/g, '')
}

/** Groups a card number as its brand does while it is typed (page design section 1). */
export function editCardNumber(typing: Typing): Edit {
  return regroup(typing, {
    bare: digitsOf,
    gaps: (digits) => cardBrand(digits).gaps,
    max: (digits) => Math.max(...cardBrand(digits).lengths),
  })
}

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
