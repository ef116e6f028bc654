import type { FieldErrors } from '../fields.ts'
import { ibanOf, isIban } from './iban.ts'
import type { MethodAdapter } from './method-adapter.ts'
import { type KnownMembers, tokenOf } from './sandbox-adapter.ts'

const MEMBERS: KnownMembers = {
  '': ['iban', 'methods.iban_invalid'],
  holder: ['holder', 'methods.holder_missing'],
}

/** The built-in test processor's direct debit: an account becomes a token before it is charged. */
export const DIRECT_DEBIT: MethodAdapter = {
  check(values) {
    const errors: FieldErrors = {}
    if (values.iban.trim() === '') errors.iban = { id: 'methods.iban_missing' }
    else if (!isIban(values.iban)) errors.iban = { id: 'methods.iban_invalid' }
    if (values.holder.trim() === '') errors.holder = { id: 'methods.holder_missing' }
    return errors
  },

  async prepare(values, ask) {
    const bank_account = { iban: ibanOf(values.iban), holder: values.holder.trim() }
    const answer = await ask<{ token: string }>({ path: '/sandbox/tokens', body: { bank_account } })
    return tokenOf('DIRECT_DEBIT', answer, MEMBERS)
  },
}
