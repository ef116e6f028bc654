/**
 * Money as integer minor units. Amounts are transferred as decimal strings in major units and
 * stored as integers of the smallest unit. Nothing is rounded: an amount that is not a whole number
 * of minor units is rejected.
 */

/** Why an amount is invalid. */
export type AmountErrorCode = 'TOO_LONG' | 'FORMAT' | 'DECIMALS' | 'TOO_LARGE'

export type ParsedAmount = { ok: true; minor: number } | { ok: false; problem: AmountErrorCode }

/** Twelve digits, a dot and more decimals than any currency has. */
export const AMOUNT_LENGTH_MAX = 32

const AMOUNT = /^([0-9]{1,12})(?:\.([0-9]+))?$/

/**
 * Parses a decimal string in major units ("10.50") to minor units (1050). `digits` is the number of
 * decimals of the currency; further decimals must be zero. Returns the problem of an invalid text.
 */
export function parseAmount(text: string, digits: number): ParsedAmount {
  if (text.length > AMOUNT_LENGTH_MAX) return { ok: false, problem: 'TOO_LONG' }
  const match = AMOUNT.exec(text)
  if (!match) return { ok: false, problem: 'FORMAT' }
  const decimals = match[2] ?? ''
  if (!/^0*$/.test(decimals.slice(digits))) return { ok: false, problem: 'DECIMALS' }
  const minor = BigInt(match[1] + decimals.slice(0, digits).padEnd(digits, '0'))
  // Columns and JSON numbers are exact up to 2^53, which a currency with four decimals can exceed.
  if (minor > BigInt(Number.MAX_SAFE_INTEGER)) return { ok: false, problem: 'TOO_LARGE' }
  return { ok: true, minor: Number(minor) }
}

/** Formats minor units (1050) as a decimal string with `digits` decimals ("10.50"). */
export function formatMinor(minor: number, digits: number): string {
  const text = String(minor).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
