import { registerChunk, chunk, type ChunkName, type Chunks } from './chunks.ts'

const LOADERS: { readonly [Name in ChunkName]: () => Promise<Chunks[Name]> } = {
  result: () => import('./chunks/result.ts'),
  pay: () => import('./chunks/pay.ts'),
  terms: () => import('./chunks/terms.ts'),
  address: () => import('./chunks/address.ts'),
  'saved-methods': () => import('./chunks/saved-methods.ts'),
  'remove-saved': () => import('./chunks/remove-saved.ts'),
  'direct-debit': () => import('./chunks/direct-debit.ts'),
  'test-cards': () => import('./chunks/test-cards.ts'),
}

const coming = new Map<ChunkName, Promise<void>>()

/** Fetches parts that are not here yet, each once; rejects where one cannot be fetched. */
export async function loadChunks(names: readonly ChunkName[]): Promise<void> {
  await Promise.all(names.map(load))
}

/** All of them, for a server that draws every view. */
export const loadAllChunks = () => loadChunks(Object.keys(LOADERS) as ChunkName[])

async function load<Name extends ChunkName>(name: Name): Promise<void> {
  if (chunk(name)) return
  const under = coming.get(name)
  if (under) return under
  const loading = LOADERS[name]()
    .then((module) => registerChunk(name, module))
    .finally(() => coming.delete(name))
  coming.set(name, loading)
  return loading
}
