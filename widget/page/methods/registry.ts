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

/** By processor, or `FRAMES` for one whose own fields take the number. */
const PROCESSORS: Readonly<Record<string, Readonly<Record<string, MethodUi>>>> = {
  sandbox: {
    CARD: sandbox('CARD', 'methods.card', 'card'),
    DIRECT_DEBIT: sandbox('DIRECT_DEBIT', 'methods.direct_debit', 'bank'),
    BANK_TRANSFER: sandbox('BANK_TRANSFER', 'methods.bank_transfer', 'transfer'),
  },
  FRAMES: {
    CARD: { label: 'methods.card', icon: 'card', adapter: () => chunk('framed-card')?.ADAPTER },
  },
}

function sandbox(
  type: 'CARD' | 'DIRECT_DEBIT' | 'BANK_TRANSFER',
  label: StringId,
  icon: MethodUi['icon'],
): MethodUi {
  return { label, icon, adapter: () => chunk('pay')?.[type] }
}

/** Returns undefined for a method that this page cannot take. */
export function methodUi({
  fields,
  processor,
  type,
}: Pick<OfferedMethod, 'fields' | 'processor' | 'type'>): MethodUi | undefined {
  return PROCESSORS[fields ?? processor]?.[type]
}
