import { isIban } from '../../../shared/rules/iban.ts'
import type { FieldErrors } from '../fields.ts'
import { ibanOf } from './iban.ts'
import type { MethodAdapter } from './method-adapter.ts'
import { type MemberFields, parseTokenResponse } from './sandbox-adapter.ts'

const MEMBERS: MemberFields = {
  '': ['iban', 'methods.iban_invalid'],
  holder: ['holder', 'methods.holder_missing'],
}

/** The sandbox processor's direct debit. */
export const DIRECT_DEBIT: MethodAdapter = {
  validate(values) {
    const errors: FieldErrors = {}
    if (values.iban.trim() === '') errors.iban = { id: 'methods.iban_missing' }
    else if (!isIban(ibanOf(values.iban))) errors.iban = { id: 'methods.iban_invalid' }
    if (values.holder.trim() === '') errors.holder = { id: 'methods.holder_missing' }
    return errors
  },

  async tokenize(values, send) {
    const bank_account = { iban: ibanOf(values.iban), holder: values.holder.trim() }
    const response = await send<{ token: string }>({
      path: '/sandbox/tokens',
      body: { bank_account },
    })
    return parseTokenResponse('DIRECT_DEBIT', response, MEMBERS)
  },
}
