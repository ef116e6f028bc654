import { westernDigits } from '../../../shared/rules/western-digits.ts'
import { type Edit, formatGroups, type TextInput } from '../form-field/grouped-text.ts'

const LONGEST = 34

/** Returns the letters and digits of an IBAN, in capitals. */
export function ibanOf(text: string): string {
  return westernDigits(text)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
}

/** Groups an IBAN in fours, as it is printed. */
export function editIban(typing: TextInput): Edit {
  return formatGroups(typing, {
    bare: ibanOf,
    gaps: () => [4, 8, 12, 16, 20, 24, 28, 32],
    max: () => LONGEST,
  })
}
