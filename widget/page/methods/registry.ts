import type { OfferedMethod } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import type { MethodAdapter } from './method-adapter.ts'

interface MethodUi {
  icon: 'card' | 'bank' | 'transfer'
  /** Undefined until its chunk is loaded. */
  adapter: () => MethodAdapter | undefined
}

const SANDBOX: Readonly<Record<string, MethodUi>> = {
  CARD: { icon: 'card', adapter: () => chunk('pay')?.CARD },
  DIRECT_DEBIT: { icon: 'bank', adapter: () => chunk('pay')?.DIRECT_DEBIT },
}

/** Of processors whose own fields take the number. */
const FRAMES: Readonly<Record<string, MethodUi>> = {
  CARD: { icon: 'card', adapter: () => chunk('framed-card')?.ADAPTER },
}

const REDIRECT: MethodUi = { icon: 'transfer', adapter: () => chunk('pay')?.REDIRECT }

/** Returns undefined for a method that this page cannot take. */
export function methodUi({
  fields,
  processor,
  type,
}: Pick<OfferedMethod, 'fields' | 'processor' | 'type'>): MethodUi | undefined {
  if (fields === 'NONE') return REDIRECT
  if (fields === 'FRAMES') return FRAMES[type]
  return processor === 'sandbox' ? SANDBOX[type] : undefined
}
