import type { OfferedMethod } from '../../../shared/page-model.ts'

interface MethodUi {
  icon: 'card' | 'bank' | 'transfer'
}

const METHODS: Readonly<Record<string, MethodUi>> = {
  CARD: { icon: 'card' },
  DIRECT_DEBIT: { icon: 'bank' },
}

/** Returns undefined for a method that this page cannot take. */
export function methodUi({
  fields,
  processor,
  type,
}: Pick<OfferedMethod, 'fields' | 'processor' | 'type'>): MethodUi | undefined {
  if (fields === 'NONE') return { icon: 'transfer' }
  return fields || processor === 'sandbox' ? METHODS[type] : undefined
}
