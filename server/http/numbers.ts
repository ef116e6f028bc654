/**
 * Whether a number keeps its value when it is read: a long id or `1e400` becomes another number, and
 * whoever keeps it with us would get that one back (contract section 2: no input is rounded).
 * `written` is the number as JSON has it.
 */
export function keepsItsValue(written: string, read: number): boolean {
  return Number.isFinite(read) && decimal(written) === decimal(String(read))
}

/** What can only be read otherwise than it is written: more digits than a number holds, or exponents. */
export const MAY_CHANGE = /[\d.]{16}|\d[eE]/

/** One text for one value: its digits without zeros around them, and the power of ten. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return `${sign}${significant}e${power}`
}
