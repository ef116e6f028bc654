import type { MethodAdapter } from './method-adapter.ts'

/** A method without fields: the payer enters everything at their bank. */
export const REDIRECT: MethodAdapter = {
  validate: () => ({}),
  tokenize: (_values, _send, _now, { type, processor }) =>
    Promise.resolve({ kind: 'READY', method: { type, processor } }),
}
