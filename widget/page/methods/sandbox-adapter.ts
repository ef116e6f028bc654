import { isIban } from '../../../shared/rules/iban.ts'
import type { SendRequest } from '../api.ts'
import type { FieldErrors, FieldName } from '../fields.ts'
import type { StringId } from '../translator.ts'
import { cardBrand } from './brands.ts'
import { digitsOf } from './card-number.ts'
import { cardNumberError, parseExpiry, securityCodeError } from './card-validation.ts'
import { ibanOf } from './iban.ts'
import type { MethodAdapter, Tokenized } from './method-adapter.ts'

/** The field and the error of each request member; '' stands for every other member. */
type MemberFields = Readonly<Record<string, readonly [FieldName, StringId]>> & {
  readonly '': readonly [FieldName, StringId]
}

const CARD_MEMBERS: MemberFields = {
  '': ['number', 'card.number_invalid'],
  exp_month: ['expiry', 'card.expiry_month'],
  exp_year: ['expiry', 'card.expiry_past'],
  csc: ['csc', 'card.code_invalid'],
}

const CARD: MethodAdapter = {
  validate(values, now) {
    const errors: FieldErrors = {}
    const number = cardNumberError(values.number)
    if (number !== null) errors.number = { id: number }
    const expiry = parseExpiry(values.expiry, now)
    if ('error' in expiry) errors.expiry = { id: expiry.error }
    const csc = securityCodeError(values.csc, cardBrand(digitsOf(values.number)))
    if (csc !== null) errors.csc = { id: csc }
    return errors
  },

  async tokenize(values, send, now) {
    const expiry = parseExpiry(values.expiry, now)
    if ('error' in expiry) return { kind: 'REFUSED', errors: { expiry: { id: expiry.error } } }
    const card = {
      number: digitsOf(values.number),
      exp_month: expiry.month,
      exp_year: expiry.year,
      csc: digitsOf(values.csc),
    }
    return requestToken('CARD', send, { card }, CARD_MEMBERS)
  },
}

const DIRECT_DEBIT_MEMBERS: MemberFields = {
  '': ['iban', 'methods.iban_invalid'],
  holder: ['holder', 'methods.holder_missing'],
}

const DIRECT_DEBIT: MethodAdapter = {
  validate(values) {
    const errors: FieldErrors = {}
    if (values.iban.trim() === '') errors.iban = { id: 'methods.iban_missing' }
    else if (!isIban(ibanOf(values.iban))) errors.iban = { id: 'methods.iban_invalid' }
    if (values.holder.trim() === '') errors.holder = { id: 'methods.holder_missing' }
    return errors
  },

  tokenize(values, send) {
    const bank_account = { iban: ibanOf(values.iban), holder: values.holder.trim() }
    return requestToken('DIRECT_DEBIT', send, { bank_account }, DIRECT_DEBIT_MEMBERS)
  },
}

const BANK_TRANSFER: MethodAdapter = {
  validate: () => ({}),
  tokenize: () =>
    Promise.resolve({ kind: 'READY', method: { type: 'BANK_TRANSFER', processor: 'sandbox' } }),
}

const ADAPTERS: Readonly<Record<string, MethodAdapter>> = { CARD, DIRECT_DEBIT, BANK_TRANSFER }

/** Returns the adapter for a type of method of the sandbox. */
export const adapter = (type: string) => ADAPTERS[type]

async function requestToken(
  type: string,
  send: SendRequest,
  body: object,
  members: MemberFields,
): Promise<Tokenized> {
  const response = await send<{ token: string }>({ path: '/sandbox/tokens', body })
  if (response.kind === 'UNREACHABLE') return response
  if (response.kind === 'OK') {
    return { kind: 'READY', method: { type, processor: 'sandbox', token: response.value.token } }
  }
  // The error message begins with the path of the member.
  const member = /^[a-z_]+\.([a-z_]+)/.exec(response.message)?.[1] ?? ''
  const [field, id] = members[member] ?? members['']
  return { kind: 'REFUSED', errors: { [field]: { id } } }
}
