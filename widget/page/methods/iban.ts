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

/** Checks the format and the check digits of ISO 13616. */
export function isIban(text: string): boolean {
  const iban = ibanOf(text)
  if (!/^[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}$/.test(iban)) return false
  const moved = iban.slice(4) + iban.slice(0, 4)
  // Letters count as two digits, A = 10 to Z = 35. The remainder of the whole number would lose digits.
  return Array.from(moved).reduce((rest, c) => Number(`${rest}${parseInt(c, 36)}`) % 97, 0) === 1
}
