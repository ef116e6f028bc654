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

type FieldKind = Exclude<FramedName, 'saved_csc'>

/** For an entry that is missing, incomplete, or wrong in a way that Stripe.js does not name. */
const OF_FIELD: Readonly<
  Record<FieldKind, { missing: StringId; incomplete: StringId; invalid: StringId }>
> = {
  number: {
    missing: 'card.number_missing',
    incomplete: 'card.number_incomplete',
    invalid: 'card.number_invalid',
  },
  expiry: {
    missing: 'card.expiry_missing',
    incomplete: 'card.expiry_incomplete',
    invalid: 'errors.check_field',
  },
  csc: {
    missing: 'card.code_missing',
    incomplete: 'card.code_three_digits',
    invalid: 'card.code_invalid',
  },
}

/** By Stripe's code. Its own sentences are never shown. */
const OF_CODE: Readonly<Record<string, StringId>> = {
  incomplete_number: 'card.number_incomplete',
  incomplete_expiry: 'card.expiry_incomplete',
  invalid_expiry_month: 'card.expiry_month',
  invalid_expiry_month_past: 'card.expiry_past',
  invalid_expiry_year_past: 'card.expiry_past',
  invalid_expiry_year: 'card.expiry_far',
  expired_card: 'card.expiry_past',
}

const kindOf = (name: FramedName): FieldKind => (name === 'saved_csc' ? 'csc' : name)

/** Returns the string id of what is wrong with a field, or null. `amex` cards have a longer code. */
export function fieldError(
  name: FramedName,
  { empty, complete, code }: FieldState,
  brand: string,
): StringId | null {
  const kind = kindOf(name)
  if (empty) return OF_FIELD[kind].missing
  if (complete && code === undefined) return null
  if (kind === 'csc' && (code === undefined || code === 'incomplete_cvc')) {
    return brand === 'amex' ? 'card.code_four_digits' : 'card.code_three_digits'
  }
  if (code === undefined) return OF_FIELD[kind].incomplete
  return OF_CODE[code] ?? OF_FIELD[kind].invalid
}

/**
 * Returns what a failed exchange for a token means. A fault of Stripe or of the connection is nothing
 * that the payer entered.
 */
export function refusal({ type, code = '' }: StripeError, names: readonly FramedName[]): Tokenized {
  const isOfEntry = /^(validation|card|invalid_request)_error$/.test(type)
  if (!isOfEntry) return { kind: 'UNREACHABLE' }
  const kind = code.includes('cvc') ? 'csc' : code.includes('expir') ? 'expiry' : 'number'
  const name = names.find((each) => kindOf(each) === kind) ?? names[0] ?? 'number'
  return {
    kind: 'REFUSED',
    errors: { [name]: { id: OF_CODE[code] ?? OF_FIELD[kindOf(name)].invalid } },
  }
}
