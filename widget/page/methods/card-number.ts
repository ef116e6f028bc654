import { westernDigits } from '../../../shared/rules/western-digits.ts'
import { cardBrand } from './brands.ts'
import { type Edit, regroup, type Typing } from './grouped-text.ts'

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
