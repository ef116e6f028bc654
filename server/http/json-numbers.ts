/** A number that somebody means has fewer; `1e-300` written in full has more. */
export const NUMBER_LENGTH_MAX = 64

/**
 * Returns whether a number keeps its value when it is read: a long id or `1e400` becomes another
 * number, and its sender would get that one back. `written` is the number as JSON has it, of at most
 * `NUMBER_LENGTH_MAX` characters.
 */
export function isExactNumber(written: string, read: number): boolean {
  // Every number of up to 15 digits is held exactly.
  if (written.length <= 15 && !/e/i.test(written)) return true
  return Number.isFinite(read) && decimal(written) === decimal(String(read))
}

/** One text for one value: its digits without zeros around them, and the power of ten. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.slice(0, lengthWithoutZeros(digits))
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return `${sign}${significant}e${power}`
}

/** A pattern for zeros at the end would look for that end from each zero. */
function lengthWithoutZeros(digits: string): number {
  let length = digits.length
  while (digits[length - 1] === '0') length -= 1
  return length
}
