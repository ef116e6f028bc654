import { asciiSpellings } from './ascii-spellings.ts'
import { passesLuhn } from './luhn.ts'

/**
 * Detects card numbers in stored text: comments, references, metadata. No such text may contain one
 * (PCI DSS 3.3), so the request is rejected.
 *
 * A tenth of all numbers pass the check digit, so the digits alone prove nothing. A match has the
 * prefix of a scheme AND a length that this scheme uses, and stands alone: as one run of digits, or
 * in groups as printed on cards or typed by people, whatever the separators and the script of the
 * digits. This excludes common merchant numbers: unix time in seconds to nanoseconds (it begins
 * with 1, or is too short), dates written as digits (20…), EAN and GTIN barcodes (8 to 14 digits,
 * no Diners prefix), IMEIs (35…, 15 digits), SIM cards (89…), IBANs (letters before their digits),
 * UUIDs and our own ids. Any other number is accepted with a letter right before it.
 */

/** Prefixes and lengths of card schemes. */
const SCHEME = anyOf([
  // Visa
  /^4(?:\d{15}|\d{18})$/,
  // Mastercard
  /^(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}$/,
  // American Express
  /^3[47]\d{13}$/,
  // Diners Club
  /^(?:30[0-5]|36\d|3[89]\d)\d{11}$/,
  // Discover
  /^(?:6011|64[4-9]\d|65\d{2})(?:\d{12}|\d{15})$/,
  // JCB
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  // UnionPay
  /^62\d{14,17}$/,
  // Maestro
  /^(?:5018|5020|5038|5[678]\d{2}|6304|6759|676[1-3])(?:\d{12}|\d{15})$/,
])

/** One pattern for all schemes, because a text of digits is checked at each of them. */
function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

const DIGITS_MIN = 14
const DIGITS_MAX = 19
/** A card number with expiry date and security code; more small groups are a list. */
const SMALL_GROUPS_DIGITS_MAX = DIGITS_MAX + 7

const SEPARATOR = String.raw`(?:[^\S\r\n]|[._/\\|+*~-])`
const DIGIT_GROUPS = new RegExp(String.raw`\d+(?:${SEPARATOR}{1,8}\d+)*`, 'g')
// Inside a word, or after its hyphen or a decimal point: ORD-4…, 0.4…
const ATTACHED_BEFORE = /(?:[\p{L}\p{N}_]-?|\d\.)$/u
const ATTACHED_AFTER = /^[\p{L}\p{N}_]/u
const IBAN_BEFORE = new RegExp(
  String.raw`[A-Z]{2}\d{2}(?:${SEPARATOR}[A-Z0-9]{4}){0,7}${SEPARATOR}$`,
)
const IBAN_LENGTH_MAX = 44

/** Returns whether a text contains what is almost certainly a card number. */
export function containsCardNumber(text: string): boolean {
  return asciiSpellings(text).some(
    (spelling) =>
      // The fast path for nearly every text.
      hasDigits(spelling, DIGITS_MIN) &&
      [...spelling.matchAll(DIGIT_GROUPS)].some((found) =>
        holdsCardNumberFrom(spelling, readGroups(found[0], found.index)),
      ),
  )
}

function hasDigits(text: string, min: number): boolean {
  let left = min
  for (let at = 0; at < text.length && left > 0; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) left -= 1
  }
  return left === 0
}

interface DigitGroup {
  digits: string
  /** Index in the text. */
  at: number
  /** Text between this group and the one before; empty for the first. */
  separator: string
}

function readGroups(run: string, runAt: number): DigitGroup[] {
  let end = 0
  return [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) => {
    const separator = run.slice(end, index)
    end = index + digits.length
    return { digits, at: runAt + index, separator }
  })
}

/** Checked from every group, because an expiry date may be on either side. */
function holdsCardNumberFrom(text: string, groups: readonly DigitGroup[]): boolean {
  const all = groups.reduce((sum, { digits }) => sum + digits.length, 0)
  const allowsSmall = all <= SMALL_GROUPS_DIGITS_MAX
  return groups.some((_first, from) => {
    let digits = ''
    for (let to = from; to < groups.length; to += 1) {
      digits += groups[to]?.digits
      if (digits.length > DIGITS_MAX) return false
      if (digits.length < DIGITS_MIN || !isCardNumber(digits)) continue
      const some = groups.slice(from, to + 1)
      if (isGroupedLikeCard(some, allowsSmall) && standsAlone(text, some)) return true
    }
    return false
  })
}

/** One run; groups of four with a shorter last one; 4-6-5 and 4-6-4; or smaller groups. */
function isGroupedLikeCard(groups: readonly DigitGroup[], allowsSmall: boolean): boolean {
  const sizes = groups.map(({ digits }) => digits.length)
  const [size = 0, second = 0] = sizes
  if (sizes.length === 1) return true
  if (sizes.length === 3 && size === 4 && second === 6) return true
  if (sizes.slice(0, -1).some((other) => other !== size) || (sizes.at(-1) ?? 0) > size) return false
  const isEven = groups.slice(2).every(({ separator }) => separator === groups[1]?.separator)
  return size === 4 || (size < 4 && allowsSmall && isEven)
}

function standsAlone(text: string, groups: readonly DigitGroup[]): boolean {
  const start = groups[0]?.at ?? 0
  const last = groups.at(-1)
  const end = (last?.at ?? 0) + (last?.digits.length ?? 0)
  return (
    !ATTACHED_BEFORE.test(text.slice(Math.max(0, start - 3), start)) &&
    !ATTACHED_AFTER.test(text.slice(end, end + 2)) &&
    !IBAN_BEFORE.test(text.slice(Math.max(0, start - IBAN_LENGTH_MAX), start))
  )
}

/** Returns whether the digits are a card number. */
export function isCardNumber(digits: string): boolean {
  return SCHEME.test(digits) && passesLuhn(digits)
}

/**
 * Returns a text with its digits masked if it contains a card number, for texts that may repeat
 * input, such as error messages.
 */
export function withoutCardNumbers(text: string): string {
  return containsCardNumber(text) ? text.replace(/\p{N}/gu, '*') : text
}

/** Returns whether data of any shape contains a card number in a value, a number or a name. */
export function holdsCardNumberWithin(value: unknown): boolean {
  if (typeof value === 'string') return containsCardNumber(value)
  // A number too long to be exact is not a card number either.
  if (typeof value === 'number') return containsCardNumber(String(value))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, member]) => containsCardNumber(name) || holdsCardNumberWithin(member),
  )
}
