import type { OfferedMethod } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import type { MethodAdapter } from './method-adapter.ts'

/** Returns undefined for a method that this page cannot take, and until its chunk is loaded. */
export function adapterOf({ fields, type }: OfferedMethod): MethodAdapter | undefined {
  if (fields) return chunk('framed-card')?.FRAMED_CARD
  const pay = chunk('pay')
  return type === 'CARD' || type === 'DIRECT_DEBIT' || type === 'BANK_TRANSFER'
    ? pay?.[type]
    : undefined
}
