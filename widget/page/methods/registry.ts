import type { OfferedMethod } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import type { StringId } from '../translator.ts'
import type { MethodAdapter } from './method-adapter.ts'

interface MethodUi {
  label: StringId
  icon: 'card' | 'bank' | 'transfer'
  /** Undefined until its chunk is loaded. */
  adapter: () => MethodAdapter | undefined
}

const PROCESSORS: Readonly<Record<string, Readonly<Record<string, MethodUi>>>> = {
  sandbox: {
    CARD: { label: 'methods.card', icon: 'card', adapter: () => chunk('pay')?.CARD },
    DIRECT_DEBIT: {
      label: 'methods.direct_debit',
      icon: 'bank',
      adapter: () => chunk('pay')?.DIRECT_DEBIT,
    },
    BANK_TRANSFER: {
      label: 'methods.bank_transfer',
      icon: 'transfer',
      adapter: () => chunk('pay')?.BANK_TRANSFER,
    },
  },
}

/** Returns undefined for a method that this page cannot take. */
export function methodUi(method: Pick<OfferedMethod, 'processor' | 'type'>): MethodUi | undefined {
  return PROCESSORS[method.processor]?.[method.type]
}
