import type { StripeError } from '@stripe/stripe-js'
import type { StringId } from '../../translator.ts'
import type { Tokenized } from '../method-adapter.ts'

/** A field in a frame of the processor. `saved_csc` is the security code of a saved card. */
export type FramedName = 'number' | 'expiry' | 'csc' | 'saved_csc'

/** What the processor's script last reported of a field. */
export interface FieldState {
  empty: boolean
  complete: boolean
  /** Stripe's code of what is wrong with the entry. */
  code?: string | undefined
}

/** By Stripe's code. Its own sentences are never shown. */
const OF_CODE: Readonly<Record<string, StringId>> = {
  invalid_expiry_month: 'card.expiry_month',
  invalid_expiry_month_past: 'card.expiry_past',
  invalid_expiry_year_past: 'card.expiry_past',
  invalid_expiry_year: 'card.expiry_far',
  expired_card: 'card.expiry_past',
}

/** As the strings name a field. */
const kindOf = (name: FramedName) =>
  name === 'number' || name === 'expiry' ? name : ('code' as const)

/** Returns the string id of what is wrong with a field, or null. `amex` cards have a longer code. */
export function fieldError(
  name: FramedName,
  { empty, complete, code }: FieldState,
  brand: string,
): StringId | null {
  const kind = kindOf(name)
  if (empty) return `card.${kind}_missing`
  if (complete && code === undefined) return null
  if (code !== undefined && !code.startsWith('incomplete_')) return wrong(name, code)
  if (kind !== 'code') return `card.${kind}_incomplete`
  return brand === 'amex' ? 'card.code_four_digits' : 'card.code_three_digits'
}

/** For an entry that is complete and wrong. */
function wrong(name: FramedName, code: string): StringId {
  const kind = kindOf(name)
  return OF_CODE[code] ?? (kind === 'expiry' ? 'errors.check_field' : `card.${kind}_invalid`)
}

/**
 * Returns what a failed exchange for a token means. A fault of Stripe or of the connection is nothing
 * that the payer entered.
 */
export function refusal({ type, code = '' }: StripeError, names: readonly FramedName[]): Tokenized {
  const isOfEntry = /^(validation|card|invalid)_/.test(type)
  if (!isOfEntry) return { kind: 'UNREACHABLE' }
  const kind = code.includes('cvc') ? 'code' : code.includes('expir') ? 'expiry' : 'number'
  const name = names.find((each) => kindOf(each) === kind) ?? names[0] ?? 'number'
  return { kind: 'REFUSED', errors: { [name]: { id: wrong(name, code) } } }
}
