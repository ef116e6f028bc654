import { checkNeeds } from './payer-needs.ts'
import type { MethodAdapter } from './method-adapter.ts'
import { STRIPE_DEBIT } from './stripe-debit.ts'

/** A method without fields: the payer enters everything at their bank. */
const REDIRECT: MethodAdapter = {
  validate: (values, _now, { needs }) => checkNeeds(values, needs),
  tokenize: (_values, _send, _now, { type, processor }) =>
    Promise.resolve({ kind: 'READY', method: { type, processor } }),
}

/** Returns the adapter for a type of method of a connected processor. */
export const adapter = (type: string): MethodAdapter =>
  type === 'DIRECT_DEBIT' ? STRIPE_DEBIT : REDIRECT
