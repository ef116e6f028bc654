import { untracked } from '@preact/signals'
import { chunk, type ChunkName, type Chunks, registerChunk } from './chunks.ts'
import type { Page } from './page-context.ts'

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

const loading = new Map<ChunkName, Promise<void>>()

/** Loads the chunks that are missing. Rejects when one cannot be fetched. */
export async function loadChunks(names: readonly ChunkName[]): Promise<void> {
  await Promise.all(names.map(loadChunk))
}

/** For server rendering, which needs every screen. */
export const loadAllChunks = () => loadChunks(Object.keys(LOADERS) as ChunkName[])

async function loadChunk<Name extends ChunkName>(name: Name): Promise<void> {
  if (untracked(() => chunk(name))) return
  let promise = loading.get(name)
  if (!promise) {
    promise = LOADERS[name]()
      .then((module) => registerChunk(name, module))
      .finally(() => loading.delete(name))
    loading.set(name, promise)
  }
  return promise
}

/** The chunks that the page needs in its present state. */
export function chunksFor({ checkout, form }: Pick<Page, 'checkout' | 'form'>): ChunkName[] {
  const { terms, saved_methods } = checkout.checkout.value
  const { kind } = checkout.screen.value
  const touched = form.touched.value
  const needed: Record<ChunkName, boolean> = {
    // Both load while the payer types, so that a submit does not wait for them.
    pay: touched,
    result: kind !== 'form' || touched,
    terms:
      terms.amount_editable ||
      terms.alt_key_editable ||
      terms.description_editable ||
      terms.comment_allowed,
    address: form.addressOpen.value,
    'saved-methods': kind === 'form' && saved_methods.length > 0,
    // After the payment only the method that its session saved is listed.
    'remove-saved': kind === 'receipt' && saved_methods.length > 0,
    'direct-debit': form.choice.value?.offered?.type === 'DIRECT_DEBIT',
    'test-cards': form.testCardsOpen.value,
  }
  return (Object.keys(needed) as ChunkName[]).filter((name) => needed[name])
}
