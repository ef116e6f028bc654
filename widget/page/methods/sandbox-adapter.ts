import type { ApiResult } from '../api.ts'
import type { FieldErrors, FieldName } from '../fields.ts'
import type { StringId, Words } from '../translator.ts'
import { ANY_BRAND, cardBrand, type CardBrand } from './brands.ts'
import { digitsOf } from './card-number.ts'
import { cardNumberProblem, type NumberProblem } from './card-validation.ts'
import type { MethodAdapter, Prepared } from './method-adapter.ts'
import { type ExpiryProblem, readExpiry } from './read-expiry.ts'

/** The browser half of the built-in test processor (contract section 19). */

const NUMBER: Readonly<Record<NumberProblem, StringId>> = {
  MISSING: 'card.number_missing',
  INCOMPLETE: 'card.number_incomplete',
  INVALID: 'card.number_invalid',
}

const EXPIRY: Readonly<Record<ExpiryProblem, StringId>> = {
  MISSING: 'card.expiry_missing',
  INCOMPLETE: 'card.expiry_incomplete',
  INVALID_MONTH: 'card.expiry_month',
  PAST: 'card.expiry_past',
  FAR: 'card.expiry_far',
}

const MEMBERS: KnownMembers = {
  '': ['number', 'card.number_invalid'],
  exp_month: ['expiry', 'card.expiry_month'],
  exp_year: ['expiry', 'card.expiry_past'],
  csc: ['csc', 'card.code_invalid'],
}

/** What is wrong with a security code of a card of this brand. */
export function codeProblem(code: string, brand: CardBrand): Words | undefined {
  const typed = digitsOf(code).length
  if (typed === 0) return { id: 'card.code_missing' }
  // Before the brand is certain, three or four digits may be right.
  const enough = brand === ANY_BRAND ? typed >= 3 : typed === brand.codeLength
  if (enough) return undefined
  return { id: brand.codeLength === 4 ? 'card.code_four_digits' : 'card.code_three_digits' }
}

export const CARD: MethodAdapter = {
  check(values, now) {
    const errors: FieldErrors = {}
    const number = cardNumberProblem(values.number)
    if (number !== null) errors.number = { id: NUMBER[number] }
    const expiry = readExpiry(values.expiry, now)
    if ('problem' in expiry) errors.expiry = { id: EXPIRY[expiry.problem] }
    const brand = cardBrand(digitsOf(values.number))
    const code = codeProblem(values.csc, brand)
    if (code !== undefined) errors.csc = code
    return errors
  },

  async prepare(values, ask, now) {
    const expiry = readExpiry(values.expiry, now)
    if ('problem' in expiry) return refused({ expiry: { id: EXPIRY[expiry.problem] } })
    const card = {
      number: digitsOf(values.number),
      exp_month: expiry.month,
      exp_year: expiry.year,
      csc: digitsOf(values.csc),
    }
    return tokenOf('CARD', await ask({ path: '/sandbox/tokens', body: { card } }), MEMBERS)
  },
}

export const BANK_TRANSFER: MethodAdapter = {
  check: () => ({}),
  prepare: () =>
    Promise.resolve({
      kind: 'READY',
      method: { type: 'BANK_TRANSFER', processor: 'sandbox' },
    }),
}

/** What the processor answered to the details of a method; `known` are the fields that it names. */
export function tokenOf(
  type: string,
  answer: ApiResult<{ token: string }>,
  known: KnownMembers,
): Prepared {
  if (answer.kind === 'LOST') return answer
  if (answer.kind === 'OK') {
    return { kind: 'READY', method: { type, processor: 'sandbox', token: answer.value.token } }
  }
  // The server names the member first; its English sentence is for developers.
  const member = /^[a-z_]+\.([a-z_]+)/.exec(answer.message)?.[1] ?? ''
  const [field, id] = known[member] ?? known['']
  return refused({ [field]: { id } })
}

/** A member's field and what is said there; '' is for a member that nobody expected. */
export type KnownMembers = Readonly<Record<string, readonly [FieldName, StringId]>> & {
  readonly '': readonly [FieldName, StringId]
}

const refused = (errors: FieldErrors): Prepared => ({ kind: 'REFUSED', errors })
