import type { OfferedMethod } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import type { MethodAdapter } from './method-adapter.ts'

/** Returns undefined for a method that this page cannot take, and until its chunk is loaded. */
export function adapterOf({ fields, type }: OfferedMethod): MethodAdapter | undefined {
  if (fields === 'NONE') return chunk('pay')?.REDIRECT
  if (fields === 'FRAMES') return chunk('framed-card')?.FRAMED_CARD
  return type === 'CARD' || type === 'DIRECT_DEBIT' ? chunk('pay')?.[type] : undefined
}
