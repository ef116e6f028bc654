import { install, part, type PartName, type Parts } from './parts.ts'

const LOADERS: { readonly [Name in PartName]: () => Promise<Parts[Name]> } = {
  afterwards: () => import('./parts/afterwards.ts'),
  pay: () => import('./parts/pay.ts'),
  terms: () => import('./parts/terms.ts'),
  address: () => import('./parts/address.ts'),
  saved: () => import('./parts/saved.ts'),
  removal: () => import('./parts/removal.ts'),
  debit: () => import('./parts/debit.ts'),
  trials: () => import('./parts/trials.ts'),
}

const coming = new Map<PartName, Promise<void>>()

/** Fetches parts that are not here yet, each once; rejects where one cannot be fetched. */
export async function loadParts(names: readonly PartName[]): Promise<void> {
  await Promise.all(names.map(load))
}

/** All of them, for a server that draws every view. */
export const loadEveryPart = () => loadParts(Object.keys(LOADERS) as PartName[])

async function load<Name extends PartName>(name: Name): Promise<void> {
  if (part(name)) return
  const under = coming.get(name)
  if (under) return under
  const loading = LOADERS[name]()
    .then((module) => install(name, module))
    .finally(() => coming.delete(name))
  coming.set(name, loading)
  return loading
}
