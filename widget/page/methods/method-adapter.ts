import type { OfferedMethod, SubmittedMethod } from '../../../shared/page-model.ts'
import type { SendRequest } from '../api.ts'
import type { FieldErrors, FieldValues } from '../fields.ts'

export type Tokenized =
  | { kind: 'READY'; method: SubmittedMethod }
  | { kind: 'REFUSED'; errors: FieldErrors }
  | { kind: 'UNREACHABLE' }

/** The browser's side of a payment method of a processor. `now` is epoch milliseconds. */
export interface MethodAdapter {
  validate: (values: FieldValues, now: number, offered: OfferedMethod) => FieldErrors
  /** Exchanges the entered details for a token of the processor. */
  tokenize: (
    values: FieldValues,
    send: SendRequest,
    now: number,
    offered: OfferedMethod,
  ) => Promise<Tokenized>
}
