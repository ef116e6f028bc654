import { untracked } from '@preact/signals'
import { chunk, type ChunkName, type Chunks, registerChunk } from './chunks.ts'
import { chunkOf } from './methods/chunk-of.ts'
import type { PayPage } from './page-context.ts'

const LOADERS: { readonly [Name in ChunkName]: () => Promise<Chunks[Name]> } = {
  result: () => import('./chunks/result.ts'),
  pay: () => import('./chunks/pay.ts'),
  terms: () => import('./chunks/terms.ts'),
  owed: () => import('./chunks/owed.ts'),
  choice: () => import('./chunks/choice.ts'),
  address: () => import('./chunks/address.ts'),
  entity: () => import('./chunks/entity.ts'),
  'framed-card': () => import('./chunks/framed-card.ts'),
  'saved-methods': () => import('./chunks/saved-methods.ts'),
  'bank-methods': () => import('./chunks/bank-methods.ts'),
}

/** Loads the chunks that are missing. Rejects when one cannot be fetched. */
export async function loadChunks(names: readonly ChunkName[]): Promise<void> {
  await Promise.all(names.map(loadChunk))
}

/** For server rendering, which needs every screen. */
export const loadAllChunks = () => loadChunks(Object.keys(LOADERS) as ChunkName[])

async function loadChunk<Name extends ChunkName>(name: Name): Promise<void> {
  // An effect that loads chunks must not run again for each chunk.
  if (!untracked(() => chunk(name))) registerChunk(name, await LOADERS[name]())
}

/** The chunks that the page needs in its present state. */
export function chunksFor({ checkout, form }: Pick<PayPage, 'checkout' | 'form'>): ChunkName[] {
  const { terms, saved_methods, legal_entity } = checkout.checkout.value
  const { kind } = checkout.screen.value
  const touched = form.touched.value
  const { offered, saved } = form.choice.value ?? {}
  const isDebit = offered?.type === 'DIRECT_DEBIT'
  const ofMethod = offered && chunkOf(offered)
  const needed: Record<ChunkName, unknown> = {
    // Both load while the payer types, so that a submit does not wait for them.
    pay: touched || isDebit,
    result: kind !== 'form' || touched,
    choice: terms.choice,
    // Each flag of the terms permits the payer to enter one.
    terms: Object.values(terms).includes(true),
    // It also loads the processor's script for a direct debit.
    'framed-card':
      saved?.csc === 'TOKEN' || ofMethod === 'framed-card' || (isDebit && ofMethod !== 'pay'),
    'bank-methods': ofMethod === 'bank-methods',
    owed: terms.charges || terms.recurring,
    address: form.addressOpen.value,
    entity: legal_entity,
    // After the payment only the method that its session saved is listed.
    'saved-methods': (kind === 'form' || kind === 'receipt') && saved_methods.length > 0,
  }
  return (Object.keys(needed) as ChunkName[]).filter((name) => needed[name])
}
