import type { ComponentType } from 'preact'
import type { OfferedMethod, SubmittedMethod } from '../../../shared/page-model.ts'
import type { Ask } from '../calls.ts'
import type { FieldErrors, FieldValues } from '../form.ts'
import type { StringId } from '../wording.ts'
import { SANDBOX } from './sandbox.tsx'

/** What came of turning the typed details into something that can be submitted. */
export type Prepared =
  | { kind: 'READY'; method: SubmittedMethod }
  | { kind: 'REFUSED'; errors: FieldErrors }
  | { kind: 'LOST' }

/** The browser half of one method of one processor (architecture section 10). */
export interface MethodHalf {
  label: StringId
  icon: 'card' | 'bank' | 'transfer'
  Fields: ComponentType
  /** What stands in the way of paying. `now` is epoch milliseconds. */
  check: (values: FieldValues, now: number) => FieldErrors
  prepare: (values: FieldValues, ask: Ask, now: number) => Promise<Prepared>
}

const PROCESSORS: Readonly<Record<string, Readonly<Record<string, MethodHalf>>>> = {
  sandbox: SANDBOX,
}

/** The browser half of a method, or undefined where this page has none and cannot offer it. */
export function methodHalf(method: Pick<OfferedMethod, 'processor' | 'type'>) {
  return PROCESSORS[method.processor]?.[method.type]
}
