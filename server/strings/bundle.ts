import { createHash } from 'node:crypto'
import type { Instance } from '../db/tables/instances.ts'
import { textDirection } from '../../shared/rules/text-direction.ts'
import type { Strings } from '../../shared/rules/wording.ts'
import { createCache, getOrLoad, perDatabase } from '../cache.ts'
import type { Deps } from '../deps.ts'
import { isOnPage } from '../../shared/rules/string-ids.ts'
import { resolveAll, type StringScope } from '../../shared/rules/inherit.ts'
import { stringLayers } from './resolve.ts'
import { findStrings } from './store.ts'

/** A frozen set of all strings that a payer may see in one language, addressed by its content. */
export interface Bundle {
  /** SHA-256 of the canonical JSON, hex. */
  hash: string
  /** The beginning of the hash in base64url; the primary key of the stored bundle. */
  key: string
  language: string
  direction: 'ltr' | 'rtl'
  strings: Strings
  /** The canonical JSON. */
  json: string
}

const bundles = perDatabase(() => createCache<Promise<Bundle>>(2000))
const defaultBundles = new Map<string, Bundle>()

/** Returns the current bundle of a scope. Cached per version of the instance's strings. */
export function getBundle(
  deps: Pick<Deps, 'db'>,
  instance: Instance,
  scope: StringScope,
): Promise<Bundle> {
  const key = [instance.id, instance.strings_version, scope.branding, scope.language].join('/')
  return getOrLoad(bundles(deps.db), key, async () => {
    const strings = await findStrings(deps.db, instance.id, scope)
    return createBundle(scope.language, resolveAll(stringLayers(scope, strings)))
  })
}

/** Returns all strings of a scope, also those that no page of a payment shows. Not cached. */
export async function getStrings(
  { db }: Pick<Deps, 'db'>,
  instance: Instance,
  scope: StringScope,
): Promise<Strings> {
  return resolveAll(stringLayers(scope, await findStrings(db, instance.id, scope)))
}

/** Returns the bundle of the default catalog, for pages without an instance. */
export function defaultBundle(language: string): Bundle {
  const bundle = defaultBundles.get(language) ?? createBundle(language, defaultStrings(language))
  defaultBundles.set(language, bundle)
  return bundle
}

/** Returns the default catalog of a language, in English where it lacks a translation. */
export function defaultStrings(language: string): Strings {
  return resolveAll(stringLayers({ branding: '', language }, () => undefined))
}

/** Creates a bundle. Strings are ordered by id, so that equal strings have an equal hash. */
export function createBundle(language: string, all: Strings): Bundle {
  const strings = Object.fromEntries(
    Object.entries(all)
      .filter(([id]) => isOnPage(id))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
  const json = JSON.stringify(strings)
  const digest = createHash('sha256').update(json).digest()
  return {
    hash: digest.toString('hex'),
    key: digest.toString('base64url').slice(0, 22),
    language,
    direction: textDirection(language),
    strings,
    json,
  }
}
