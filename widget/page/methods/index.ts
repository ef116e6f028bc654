import type { OfferedMethod } from '../../../shared/page-model.ts'
import type { MethodHalf } from './half.ts'
import { SANDBOX } from './sandbox.ts'

const PROCESSORS: Readonly<Record<string, Readonly<Record<string, MethodHalf>>>> = {
  sandbox: SANDBOX,
}

/** The browser half of a method, or undefined where this page has none and cannot offer it. */
export function methodHalf(method: Pick<OfferedMethod, 'processor' | 'type'>) {
  return PROCESSORS[method.processor]?.[method.type]
}
