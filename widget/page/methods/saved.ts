import type { SavedMethod } from '../../../shared/page-model.ts'
import type { FieldErrors } from '../fields.ts'
import { digitsOf } from './card-number.ts'

/** Digits of the security code that a saved card needs again. */
export function savedCodeLength(saved: SavedMethod): number {
  return saved.brand === 'amex' ? 4 : 3
}

/** A saved card is paid with only by somebody who holds it (contract section 7.4). */
export function savedCodeProblem(saved: SavedMethod, code: string): FieldErrors {
  if (saved.type !== 'CARD') return {}
  const typed = digitsOf(code).length
  if (typed === 0) return { saved_csc: { id: 'card.code_missing' } }
  const length = savedCodeLength(saved)
  if (typed === length) return {}
  return { saved_csc: { id: length === 4 ? 'card.code_four_digits' : 'card.code_three_digits' } }
}
