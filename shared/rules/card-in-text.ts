/**
 * Card numbers that somebody wrote where none belongs (safety row 15): into a comment, a reference,
 * a metadata value. Nobody here may keep one, so whoever sends one is told.
 *
 * A tenth of all numbers pass the check digit, so the digits alone prove nothing, and a merchant
 * must never be refused for every tenth order. What counts has the beginning of a scheme AND a
 * length that this scheme has, and stands alone: in one run of digits, or grouped as cards print
 * it. That leaves out what merchants number by: unix time in seconds to nanoseconds (it begins
 * with 1, or is too short), dates written as digits (20…), EAN and GTIN barcodes (8 to 14 digits,
 * no Diners prefix), IMEIs (35…, 15 digits), SIM cards (89…), IBANs (letters stand before their
 * digits), UUIDs and our own ids. A number that is refused all the same passes with a letter
 * right before it.
 */

/** Beginning and length of the numbers that schemes give out. */
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

/** One pattern for all: a text full of digits asks for each of them. */
function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

const GAP = String.raw`[ \u00a0\u202f-]`

// Nearly every text ends here, a hundred times sooner than behind the shapes.
const ENOUGH_DIGITS = new RegExp(String.raw`(?:\d${GAP}?){13}\d`)

/** One run of digits, or groups as cards print them. */
const SHAPES = [
  String.raw`\d{14,19}`,
  String.raw`\d{4}(?:${GAP}\d{4}){3}`,
  String.raw`\d{4}(?:${GAP}\d{4}){3}${GAP}\d{3}`,
  String.raw`\d{4}(?:${GAP}\d{4}){2}${GAP}\d{2}`,
  String.raw`\d{4}${GAP}\d{6}${GAP}\d{4,5}`,
].map((shape) => {
  // Not inside a word, nor behind the hyphen of one, nor behind a point: ORD-4…, 0.4…
  const alone = String.raw`(?<![\p{L}\p{N}_]-?|\d\.)`
  const iban = String.raw`(?<![A-Z]{2}\d{2}(?:${GAP}[A-Z0-9]{4}){0,7}${GAP})`
  // Looked at from every beginning, because an expiry date may stand on either side.
  // What lies before is looked at last: it costs most.
  return new RegExp(String.raw`${alone}(?=(${shape})(?![\p{L}\p{N}_]))${iban}`, 'gu')
})

/** Whether a text holds a number that can hardly be anything but a card's. */
export function holdsCardNumber(text: string): boolean {
  if (!ENOUGH_DIGITS.test(text)) return false
  return SHAPES.some((shape) =>
    [...text.matchAll(shape)].some(([, found = '']) => isCardNumber(found.replace(/\D/g, ''))),
  )
}

function isCardNumber(digits: string): boolean {
  return SCHEME.test(digits) && passesLuhn(digits)
}

/** Whether the last digit is the check digit of those before it (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The same for data of any shape, which may hold one in a value, in a number and in a name. */
export function holdsCardNumberWithin(value: unknown): boolean {
  if (typeof value === 'string') return holdsCardNumber(value)
  // What is too long for a number to be exact is no card's either.
  if (typeof value === 'number') return holdsCardNumber(String(value))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, member]) => holdsCardNumber(name) || holdsCardNumberWithin(member),
  )
}
