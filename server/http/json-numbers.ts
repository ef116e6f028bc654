/** Longer than any meaningful number; `1e-300` written in full is longer. */
export const NUMBER_LENGTH_MAX = 64

/**
 * Returns whether a number keeps its value when it is parsed: a long id or `1e400` would change.
 * `written` is its JSON text of at most `NUMBER_LENGTH_MAX` characters.
 */
export function isExactNumber(written: string, read: number): boolean {
  // Numbers of up to 15 digits are always exact.
  if (written.length <= 15 && !/e/i.test(written)) return true
  return Number.isFinite(read) && decimal(written) === decimal(String(read))
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
