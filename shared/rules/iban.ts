/**
 * Returns whether a text is an IBAN: its form and its check digits (ISO 13616). Takes capitals without
 * spaces.
 */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}$/.test(iban)) return false
  const moved = iban.slice(4) + iban.slice(0, 4)
  // Letters count as two digits, A = 10 to Z = 35. The remainder of the whole number would lose digits.
  return Array.from(moved).reduce((rest, c) => Number(`${rest}${parseInt(c, 36)}`) % 97, 0) === 1
}
