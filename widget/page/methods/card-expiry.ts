import { westernDigits } from '../../../shared/rules/western-digits.ts'
import { digitsOf } from './card-number.ts'
import type { Edit, TextInput } from '../form-field/grouped-text.ts'

const BETWEEN = ' / '

/** Formats an expiry date as `MM / YY` while it is typed, pasted or filled in. */
export function editExpiry(typing: TextInput): Edit {
  const whole = wholeDate(typing.text) ?? replaced(typing)
  if (whole !== null) return { text: whole, caret: whole.length }
  const before = digitsOf(typing.before)
  let digits = digitsOf(typing.text)
  let at = digitsOf(typing.text.slice(0, typing.caret)).length
  const shorter = typing.text.length < typing.before.length
  // A text without any separator was filled in by the browser.
  const one = typing.before.length - typing.text.length === 1
  const nibbled = one && digits === before && /[^0-9]/.test(westernDigits(typing.text))
  if (nibbled && digits.length >= 2) {
    // Deleting a part of the separator deletes the digit beside it.
    const from = typing.forward ? at : at - 1
    if (from >= 0) digits = digits.slice(0, from) + digits.slice(from + 1)
    at = Math.max(from, 0)
  }
  // A month has one digit if it begins with 2 to 9 or a separator follows.
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

/** Returns a date with a two-digit year that replaced the whole text at once. */
function replaced({ text, before }: TextInput): string | null {
  const date = /^(\d{1,2})\s*[-/.]\s*(\d\d)$/.exec(westernDigits(text).trim())
  const typed = Math.abs(text.length - before.length) <= 1 || text.startsWith(before)
  if (date?.[1] === undefined || typed) return null
  return date[1].padStart(2, '0') + BETWEEN + date[2]
}

/** Returns a date with a four-digit year, such as `12/2030` or `2030-12`. */
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
