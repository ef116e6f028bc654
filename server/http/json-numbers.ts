/** Longer than any meaningful number; `1e-300` written in full is longer. */
export const NUMBER_LENGTH_MAX = 64

/** The significant digits that a double always keeps. */
const DIGITS_KEPT = 15
/** Above this a double has its full precision. */
const FULL_PRECISION_MIN = 1e-300

/**
 * Returns whether a number keeps its value when it is parsed: a long id or `1e400` would change.
 * `written` is its JSON text of at most `NUMBER_LENGTH_MAX` characters.
 */
export function isExactNumber(written: string, read: number): boolean {
  if (!Number.isFinite(read)) return false
  // Comparing the digits of each of the many numbers in a long body takes long.
  if (written.length <= DIGITS_KEPT && isOfFullPrecision(written, read)) return true
  return decimal(written) === decimal(String(read))
}

/** A zero may be a number that is too small for a double. */
function isOfFullPrecision(written: string, read: number): boolean {
  return read === 0 ? /^-?[0.]+(?:e|$)/i.test(written) : Math.abs(read) >= FULL_PRECISION_MIN
}

/** Returns a canonical form: the digits without surrounding zeros, and the power of ten. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.slice(0, lengthWithoutZeros(digits))
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return `${sign}${significant}e${power}`
}

/** A regular expression for trailing zeros would take quadratic time. */
function lengthWithoutZeros(digits: string): number {
  let length = digits.length
  while (digits[length - 1] === '0') length -= 1
  return length
}
