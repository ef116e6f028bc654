/**
 * Money as integer minor units.
 *
 * An amount travels as a decimal string in major units and is kept as an integer count of the
 * currency's smallest unit. Nothing here rounds: an amount that does not land on a minor unit is
 * refused, because a rounded price is a price that nobody agreed to.
 */

/** What is wrong with an amount that was sent. */
export type AmountProblem = 'TOO_LONG' | 'FORMAT' | 'DECIMALS' | 'TOO_LARGE'

export type ParsedAmount = { ok: true; minor: number } | { ok: false; problem: AmountProblem }

/** Twelve digits, a dot and more decimals than any currency has. */
export const AMOUNT_LENGTH_MAX = 32

const AMOUNT = /^([0-9]{1,12})(?:\.([0-9]+))?$/

/**
 * Reads a decimal string in major units ("10.50") into minor units (1050).
 *
 * `digits` is the number of decimals of the currency. Decimals beyond it are accepted only when
 * they are all zero, in a text of at most 32 characters. Returns what is wrong with any other text.
 */
export function parseAmount(text: string, digits: number): ParsedAmount {
  if (text.length > AMOUNT_LENGTH_MAX) return { ok: false, problem: 'TOO_LONG' }
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
