import { readCurrencyMark } from './currency-marks.ts'
import { formatMinor, parseAmount } from './money.ts'
import { westernDigits } from './western-digits.ts'

/** Separators of decimals and thousands in a language. */
export interface NumberStyle {
  decimal: string
  group: string
}

/** Context for reading a typed amount. */
export interface AmountReading {
  style: NumberStyle
  /** Currency code of the link. */
  currency: string
  /** Decimals of the currency. */
  digits: number
  /** The payer's language, then others in which a currency may be written. */
  languages: readonly string[]
}

/** The result of reading a typed amount in the payer's number style. */
export type TypedAmount =
  | { state: 'EMPTY' }
  | { state: 'INVALID' }
  /** Text beside the number that means another currency. */
  | { state: 'OTHER_CURRENCY' }
  | { state: 'READ'; amount: string; ambiguous: boolean }

/**
 * Reads a typed amount into the canonical string of the API. The currency may precede or follow it:
 * `€ 20`, `20 €`, `EUR 20`. A separator of another style ("1,500" or "15,00" if the dot is the
 * decimal separator) could mean two prices a thousand times apart. Such an amount is marked
 * ambiguous, and the page shows it to the payer before submitting.
 */
export function readTypedAmount(typed: string, reading: AmountReading): TypedAmount {
  const { style, digits } = reading
  const western = westernDigits(typed).trim()
  if (western === '') return { state: 'EMPTY' }
  const [, before = '', number = '', after = ''] = PARTS.exec(western) ?? []
  const marks = readMarks(before, after, reading)
  if (marks === 'INVALID' || marks === 'OTHER_CURRENCY') return { state: marks }
  // "12 50" may mean 12.50: a space that does not group thousands is not ignored.
  const oddGap = /[\s'’](?![0-9]{3}(?![0-9]))/.test(number)
  const plain = number.replace(/[\s'’]/g, '')
  const dot = normaliseSeparators(plain, style, digits)
  if (dot === undefined) return { state: 'INVALID' }
  const parsed = parseAmount(dot.text, digits)
  if (!parsed.ok) return { state: 'INVALID' }
  const ambiguous = dot.ambiguous || oddGap || marks === 'PERHAPS'
  return { state: 'READ', amount: formatMinor(parsed.minor, digits), ambiguous }
}

/** The number from its first to its last digit, and the text around it. */
const PARTS = /^([^0-9]*)([0-9](?:.*[0-9])?)([^0-9]*)$/s

function readMarks(
  before: string,
  after: string,
  { currency, languages }: AmountReading,
): 'OWN' | 'PERHAPS' | 'OTHER_CURRENCY' | 'INVALID' {
  const marks = [before, after].filter((mark) => !/^[\s\p{Cf}]*$/u.test(mark))
  // A sign that belongs to the number, as in ".50", is not part of a currency.
  if (!marks.every((mark) => /[\p{L}\p{Sc}]/u.test(mark))) return 'INVALID'
  const read = marks.map((mark) => readCurrencyMark(mark, currency, languages))
  if (read.includes('OTHER')) return 'OTHER_CURRENCY'
  // "kr.50" is fifty, or half of one.
  return read.includes('PERHAPS') || /[.,]$/.test(before) ? 'PERHAPS' : 'OWN'
}

function normaliseSeparators(
  plain: string,
  style: NumberStyle,
  digits: number,
): { text: string; ambiguous: boolean } | undefined {
  if (/^[0-9]+$/.test(plain)) return { text: plain, ambiguous: false }
  const separators = plain.replace(/[0-9]/g, '')
  const last = separators.at(-1) ?? ''
  if (!/^[.,٫٬]+$/.test(separators)) return undefined
  const different = new Set(separators).size
  // "1.234,50": with two kinds of separators, the last one is the decimal separator.
  if (different === 2 && separators.indexOf(last) === separators.length - 1) {
    const at = plain.lastIndexOf(last)
    const whole = plain.slice(0, at)
    if (!isGrouped(whole)) return undefined
    return { text: `${whole.replace(/[^0-9]/g, '')}.${plain.slice(at + 1)}`, ambiguous: false }
  }
  if (different !== 1) return undefined
  // "1,234,567": a repeated separator groups thousands.
  if (separators.length > 1) {
    return isGrouped(plain) ? { text: plain.replace(/[^0-9]/g, ''), ambiguous: false } : undefined
  }
  const at = plain.indexOf(last)
  const after = plain.slice(at + 1)
  if (after === '' || at === 0) return undefined
  // Thousands have one to three digits before them, without a leading zero.
  const groups = after.length === 3 && /^[1-9][0-9]{0,2}$/.test(plain.slice(0, at))
  if (isDecimal(last, style)) {
    // Three digits after the separator look like thousands in another style.
    return { text: `${plain.slice(0, at)}.${after}`, ambiguous: groups && digits < 3 }
  }
  return groups
    ? { text: plain.slice(0, at) + after, ambiguous: true }
    : { text: `${plain.slice(0, at)}.${after}`, ambiguous: true }
}

function isDecimal(separator: string, style: NumberStyle): boolean {
  return separator === style.decimal || separator === '٫'
}

/** In threes, or as in India: three digits at the end and pairs before them (12,34,567). */
function isGrouped(text: string): boolean {
  return /^[0-9]{1,3}([.,٬][0-9]{3})*$|^[0-9]{1,2}([,٬][0-9]{2})*[,٬][0-9]{3}$/.test(text)
}
