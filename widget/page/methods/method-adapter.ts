import type { SubmittedMethod } from '../../../shared/page-model.ts'
import type { Request } from '../api.ts'
import type { FieldErrors, FieldValues } from '../fields.ts'

/** What came of turning the typed details into something that can be submitted. */
export type Prepared =
  | { kind: 'READY'; method: SubmittedMethod }
  | { kind: 'REFUSED'; errors: FieldErrors }
  | { kind: 'LOST' }

/** The browser half of one method of one processor (architecture section 10). */
export interface MethodAdapter {
  /** What stands in the way of paying. `now` is epoch milliseconds. */
  check: (values: FieldValues, now: number) => FieldErrors
  prepare: (values: FieldValues, ask: Request, now: number) => Promise<Prepared>
}
