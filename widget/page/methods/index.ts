import type { OfferedMethod } from '../../../shared/page-model.ts'
import { part } from '../parts.ts'
import type { StringId } from '../wording.ts'
import type { MethodHalf } from './half.ts'

/** How a method stands in the list, and the browser half that may still be on its way. */
interface MethodFace {
  label: StringId
  icon: 'card' | 'bank' | 'transfer'
  half: () => MethodHalf | undefined
}

const PROCESSORS: Readonly<Record<string, Readonly<Record<string, MethodFace>>>> = {
  sandbox: {
    CARD: { label: 'methods.card', icon: 'card', half: () => part('pay')?.CARD },
    DIRECT_DEBIT: {
      label: 'methods.direct_debit',
      icon: 'bank',
      half: () => part('debit')?.DIRECT_DEBIT,
    },
    BANK_TRANSFER: {
      label: 'methods.bank_transfer',
      icon: 'transfer',
      half: () => part('pay')?.BANK_TRANSFER,
    },
  },
}

/** A method as this page shows it, or undefined where it has no browser half to offer. */
export function methodFace(method: Pick<OfferedMethod, 'processor' | 'type'>) {
  return PROCESSORS[method.processor]?.[method.type]
}
