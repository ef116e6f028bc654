import type { OfferedMethod } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import type { StringId } from '../translator.ts'
import type { MethodAdapter } from './method-adapter.ts'

/** How a method stands in the list, and the browser half that may still be on its way. */
interface MethodFace {
  label: StringId
  icon: 'card' | 'bank' | 'transfer'
  half: () => MethodAdapter | undefined
}

const PROCESSORS: Readonly<Record<string, Readonly<Record<string, MethodFace>>>> = {
  sandbox: {
    CARD: { label: 'methods.card', icon: 'card', half: () => chunk('pay')?.CARD },
    DIRECT_DEBIT: {
      label: 'methods.direct_debit',
      icon: 'bank',
      half: () => chunk('direct-debit')?.DIRECT_DEBIT,
    },
    BANK_TRANSFER: {
      label: 'methods.bank_transfer',
      icon: 'transfer',
      half: () => chunk('pay')?.BANK_TRANSFER,
    },
  },
}

/** A method as this page shows it, or undefined where it has no browser half to offer. */
export function methodFace(method: Pick<OfferedMethod, 'processor' | 'type'>) {
  return PROCESSORS[method.processor]?.[method.type]
}
