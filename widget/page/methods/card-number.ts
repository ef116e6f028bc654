import { westernDigits } from '../../../shared/rules/western-digits.ts'
import { cardBrand } from './brands.ts'
import { type Edit, formatGroups, type TextInput } from '../form-field/grouped-text.ts'

/** Returns the digits of a text, in any script, as ASCII. */
export function digitsOf(text: string): string {
  return westernDigits(text).replace(/[^0-9]/g, '')
}

/** Groups a card number as its brand prints it. */
export function editCardNumber(typing: TextInput): Edit {
  return formatGroups(typing, {
    bare: digitsOf,
    gaps: (digits) => cardBrand(digits).gaps,
    max: (digits) => Math.max(...cardBrand(digits).lengths),
  })
}
