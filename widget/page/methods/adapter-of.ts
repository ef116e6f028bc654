import type { OfferedMethod } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import type { MethodAdapter } from './method-adapter.ts'

/** Returns undefined until the adapter's chunk is loaded. */
export function adapterOf({ fields, processor, type }: OfferedMethod): MethodAdapter | undefined {
  if (fields === 'FRAMES') return chunk('framed-card')?.FRAMED_CARD
  if (!fields && type === 'CARD') return chunk('pay')?.CARD
  if (!fields && type === 'DIRECT_DEBIT') {
    return chunk(processor === 'sandbox' ? 'pay' : 'bank-methods')?.DIRECT_DEBIT
  }
  return chunk('pay')?.REDIRECT
}
