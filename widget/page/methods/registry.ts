import type { OfferedMethod } from '../../../shared/page-model.ts'
import type { StringId } from '../translator.ts'

interface MethodUi {
  label: StringId
  icon: 'card' | 'bank' | 'transfer'
}

const METHODS: Readonly<Record<string, MethodUi>> = {
  CARD: { label: 'methods.card', icon: 'card' },
  DIRECT_DEBIT: { label: 'methods.direct_debit', icon: 'bank' },
  BANK_TRANSFER: { label: 'methods.bank_transfer', icon: 'transfer' },
}

/** Returns undefined for a method that this page cannot take. */
export function methodUi({
  fields,
  processor,
  type,
}: Pick<OfferedMethod, 'fields' | 'processor' | 'type'>): MethodUi | undefined {
  return fields || processor === 'sandbox' ? METHODS[type] : undefined
}
