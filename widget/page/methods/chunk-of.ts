import type { OfferedMethod } from '../../../shared/page-model.ts'

/** Returns the chunk with the adapter and the fields of a method. */
export const chunkOf = ({ fields, processor }: OfferedMethod) =>
  fields ? 'framed-card' : processor === 'sandbox' ? 'pay' : 'bank-methods'
