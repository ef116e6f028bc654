/**
 * Money as integer minor units.
 *
 * An amount travels as a decimal string in major units and is kept as an integer count of the
 * currency's smallest unit. Nothing here rounds: an amount that does not land on a minor unit is
 * refused, because a rounded price is a price that nobody agreed to.
 */

/** What is wrong with an amount that was sent. */
export type AmountProblem = 'FORMAT' | 'DECIMALS' | 'TOO_LARGE'

export type ParsedAmount = { ok: true; minor: number } | { ok: false; problem: AmountProblem }

const AMOUNT = /^([0-9]{1,12})(?:\.([0-9]+))?$/

/**
 * Reads a decimal string in major units ("10.50") into minor units (1050).
 *
 * `digits` is the number of decimals of the currency. Decimals beyond it are accepted only when
 * they are all zero. Serves "amount" of the payment link and the payments (contract section 2).
 */
export function parseAmount(text: string, digits: number): ParsedAmount {
  const match = AMOUNT.exec(text)
  if (!match) return { ok: false, problem: 'FORMAT' }
  const decimals = match[2] ?? ''
  if (!/^0*$/.test(decimals.slice(digits))) return { ok: false, problem: 'DECIMALS' }
  const minor = BigInt(match[1] + decimals.slice(0, digits).padEnd(digits, '0'))
  // Columns and JSON numbers are exact only up to 2^53; a four-decimal unit can pass that.
  if (minor > BigInt(Number.MAX_SAFE_INTEGER)) return { ok: false, problem: 'TOO_LARGE' }
  return { ok: true, minor: Number(minor) }
}

/** Writes minor units (1050) as the decimal string with exactly `digits` decimals ("10.50"). */
export function formatMinor(minor: number, digits: number): string {
  const text = String(minor).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** How a language writes numbers: what separates decimals, and what groups thousands. */
export interface NumberStyle {
  decimal: string
  group: string
}

/** An amount as a payer typed it, after reading it in the payer's own number style. */
export type TypedAmount =
  | { state: 'EMPTY' }
  | { state: 'INVALID' }
  | { state: 'READ'; amount: string; ambiguous: boolean }

/**
 * Reads an amount that a person typed, into the canonical string that the API takes.
 *
 * A separator of the other style ("1,500" or "15,00" where the dot is the decimal sign) could mean
 * two prices a thousand times apart. It is read, marked ambiguous, and the page then shows what
 * will be paid before it lets the payer go on (contract section 2, complaint U-15).
 */
export function readTypedAmount(typed: string, style: NumberStyle, digits: number): TypedAmount {
  const western = westernDigits(typed).trim()
  if (western === '') return { state: 'EMPTY' }
  // "12 50" may be meant as 12.50: a gap that does not group thousands is not passed over.
  const oddGap = /[\s'’](?![0-9]{3}(?![0-9]))/.test(western)
  const plain = western.replace(/[\s'’]/g, '')
  const dot = normaliseSeparators(plain, style, digits)
  if (dot === undefined) return { state: 'INVALID' }
  const parsed = parseAmount(dot.text, digits)
  if (!parsed.ok) return { state: 'INVALID' }
  const ambiguous = dot.ambiguous || oddGap
  return { state: 'READ', amount: formatMinor(parsed.minor, digits), ambiguous }
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
  // "1.234,50": two kinds of separator, so the last one must be the decimal sign.
  if (different === 2 && separators.indexOf(last) === separators.length - 1) {
    const at = plain.lastIndexOf(last)
    const whole = plain.slice(0, at)
    if (!isGrouped(whole)) return undefined
    return { text: `${whole.replace(/[^0-9]/g, '')}.${plain.slice(at + 1)}`, ambiguous: false }
  }
  if (different !== 1) return undefined
  // "1,234,567": the same separator twice can only group.
  if (separators.length > 1) {
    return isGrouped(plain) ? { text: plain.replace(/[^0-9]/g, ''), ambiguous: false } : undefined
  }
  const at = plain.indexOf(last)
  const after = plain.slice(at + 1)
  if (after === '' || at === 0) return undefined
  // Thousands have one to three digits before them, and the first is not a zero.
  const groups = after.length === 3 && /^[1-9][0-9]{0,2}$/.test(plain.slice(0, at))
  if (isDecimal(last, style)) {
    // Three digits after the sign look like thousands to somebody from the next country.
    return { text: `${plain.slice(0, at)}.${after}`, ambiguous: groups && digits < 3 }
  }
  return groups
    ? { text: plain.slice(0, at) + after, ambiguous: true }
    : { text: `${plain.slice(0, at)}.${after}`, ambiguous: true }
}

function isDecimal(separator: string, style: NumberStyle): boolean {
  return separator === style.decimal || separator === '٫'
}

/** In threes, or as India groups: three digits at the end and pairs before them (12,34,567). */
function isGrouped(text: string): boolean {
  return /^[0-9]{1,3}([.,٬][0-9]{3})*$|^[0-9]{1,2}([,٬][0-9]{2})*[,٬][0-9]{3}$/.test(text)
}

/** Arabic-Indic, Persian and Devanagari digits are what many phones type; a price needs 0 to 9. */
export function westernDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = code >= 0xff10 ? 0xff10 : code >= 0x966 ? 0x966 : code >= 0x6f0 ? 0x6f0 : 0x660
    return String(code - zero)
  })
}
