import { formatMinor, parseAmount } from './money.ts'

/** What a payer may choose to pay. Amounts are decimal strings in major units. */
export interface AmountChoice {
  amount_min?: string | undefined
  amount_max?: string | undefined
  amount_presets?: string[] | undefined
  unit_amount?: string | undefined
  quantity_max?: number | undefined
}

/** The largest `quantity_max` of a link. */
export const QUANTITY_MAX = 10_000

/**
 * Returns the bound that an amount (minor units) breaks, or undefined. A bound that the currency cannot
 * express counts as broken, because an amount without a bound could be anything.
 */
export function brokenBound(
  { amount_min, amount_max }: AmountChoice,
  amount: number,
  digits: number,
): 'amount_min' | 'amount_max' | undefined {
  const min = amount_min === undefined ? undefined : parseAmount(amount_min, digits)
  if (min && !(min.ok && amount >= min.minor)) return 'amount_min'
  const max = amount_max === undefined ? undefined : parseAmount(amount_max, digits)
  return max && !(max.ok && amount <= max.minor) ? 'amount_max' : undefined
}

/** Returns a unit's price times a quantity in major units; undefined where it exceeds every amount. */
export function productText(unit: string, quantity: number, digits: number): string | undefined {
  const parsed = parseAmount(unit, digits)
  if (!parsed.ok || !Number.isSafeInteger(parsed.minor * quantity)) return undefined
  const text = formatMinor(parsed.minor * quantity, digits)
  return parseAmount(text, digits).ok ? text : undefined
}
