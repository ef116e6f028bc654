import type { OfferedMethod } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import { chunkOf } from './chunk-of.ts'
import type { MethodAdapter } from './method-adapter.ts'

/** Returns undefined for a method that this page cannot take, and until its chunk is loaded. */
export const adapterOf = (offered: OfferedMethod): MethodAdapter | undefined =>
  chunk(chunkOf(offered))?.adapter(offered.type)
