import { westernDigits } from '../../../shared/rules/western-digits.ts'
import { digitsOf } from './card-number.ts'
import type { Edit, Typing } from './grouped-text.ts'

const BETWEEN = ' / '

/** Writes an expiry as `MM / YY` while it is typed, pasted or filled in by the browser. */
export function editExpiry(typing: Typing): Edit {
  const whole = wholeDate(typing.text) ?? replaced(typing)
  if (whole !== null) return { text: whole, caret: whole.length }
  const before = digitsOf(typing.before)
  let digits = digitsOf(typing.text)
  let at = digitsOf(typing.text.slice(0, typing.caret)).length
  const shorter = typing.text.length < typing.before.length
  // Without any separator left it was not deleted from: a browser filled in another value.
  const one = typing.before.length - typing.text.length === 1
  const nibbled = one && digits === before && /[^0-9]/.test(westernDigits(typing.text))
  if (nibbled && digits.length >= 2) {
    // Only a part of the separator went; the digit beside it was meant.
    const from = typing.forward ? at : at - 1
    if (from >= 0) digits = digits.slice(0, from) + digits.slice(from + 1)
    at = Math.max(from, 0)
  }
  // A month that begins with 2 to 9 has one digit, and so has one that a separator follows.
  const oneDigit = /^[2-9]/.test(digits) || /^[1-9][^0-9]/.test(westernDigits(typing.text).trim())
  if (!shorter && before.length < 2 && oneDigit) {
    digits = `0${digits}`
    at += 1
  }
  if (digits.length > 4) {
    const full = digits.length === 5 && before.length === 4
    digits = full ? before : digits.slice(0, 4)
    at = Math.min(full ? at - 1 : at, 4)
  }
  const separated = digits.length > 2 || (digits.length === 2 && !shorter)
  const text = separated ? digits.slice(0, 2) + BETWEEN + digits.slice(2) : digits
  return { text, caret: separated && at >= 2 ? at + BETWEEN.length : at }
}

/** A date with a two-digit year that took the place of what stood here, all at once. */
function replaced({ text, before }: Typing): string | null {
  const date = /^(\d{1,2})\s*[-/.]\s*(\d\d)$/.exec(westernDigits(text).trim())
  const typed = Math.abs(text.length - before.length) <= 1 || text.startsWith(before)
  if (date?.[1] === undefined || typed) return null
  return date[1].padStart(2, '0') + BETWEEN + date[2]
}

/** `12/2030`, `2030-12` and `1/30`, as browsers and people write a whole expiry. */
function wholeDate(typed: string): string | null {
  const text = westernDigits(typed).trim()
  const yearLast = /^(\d{1,2})\s*[-/.\s]\s*(?:20)(\d\d)$/.exec(text)
  const yearFirst = /^20(\d\d)\s*-\s*(\d{1,2})$/.exec(text)
  const together = /^(\d\d)20(\d\d)$/.exec(text)
  const [month, year] = yearFirst
    ? [yearFirst[2], yearFirst[1]]
    : [(yearLast ?? together)?.[1], (yearLast ?? together)?.[2]]
  return month === undefined ? null : month.padStart(2, '0') + BETWEEN + year
}
