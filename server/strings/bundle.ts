import { createHash } from 'node:crypto'
import type { Instance } from '../db/rows.ts'
import type { Strings } from '../../shared/rules/wording.ts'
import type { Deps } from '../deps.ts'
import { isForPayers } from './catalog.ts'
import { stringLayers, resolveAll, type StringScope } from './resolve.ts'
import { findStrings } from './store.ts'

/** All wording of one language that a payer may see, addressed by its content. */
export interface Bundle {
  /** SHA-256 of the canonical JSON, hex: the same words always have the same address. */
  hash: string
  /** The beginning of the hash in base64url, by which the bundle is stored. */
  key: string
  language: string
  direction: 'ltr' | 'rtl'
  strings: Strings
  /** The canonical JSON, as it is stored. */
  json: string
}

const RIGHT_TO_LEFT = new Set(['ar', 'he', 'fa', 'ur'])
const BUNDLES_MAX = 2000

/** Resolved bundles of one process; the version in the key makes an old one unfindable. */
const caches = new WeakMap<object, Map<string, Promise<Bundle>>>()

/**
 * The wording of an instance in a scope as it reads now. With warm wording this is one look into
 * memory: the instance's row, which every caller has read anyway, tells whether it is still true.
 */
export function getBundle(
  deps: Pick<Deps, 'db'>,
  instance: Instance,
  scope: StringScope,
): Promise<Bundle> {
  const cache = caches.get(deps.db) ?? new Map<string, Promise<Bundle>>()
  caches.set(deps.db, cache)
  const key = [instance.id, instance.strings_version, scope.branding, scope.language].join('/')
  const ready = cache.get(key)
  if (ready) return ready
  const made = findStrings(deps.db, instance.id, scope).then((rows) =>
    createBundle(scope.language, resolveAll(stringLayers(scope, rows))),
  )
  made.catch(() => cache.delete(key))
  if (cache.size >= BUNDLES_MAX) cache.delete(cache.keys().next().value as string)
  cache.set(key, made)
  return made
}

const shipped = new Map<string, Bundle>()

/** The wording without a merchant, for pages that belong to nobody. */
export function defaultBundle(language: string): Bundle {
  const ready = shipped.get(language)
  if (ready) return ready
  const bundle = createBundle(language, defaultStrings(language))
  shipped.set(language, bundle)
  return bundle
}

/** Every sentence of a language as it ships, in English where it has no translation. */
export function defaultStrings(language: string): Strings {
  return resolveAll(stringLayers({ branding: '', language }, () => undefined))
}

/** How a language is written. */
export function textDirection(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr'
}

/** Freezes wording: members in order of their id, so that equal wording gives equal bytes. */
export function createBundle(language: string, wording: Strings): Bundle {
  const strings = Object.fromEntries(
    Object.entries(wording)
      .filter(([id]) => isForPayers(id))
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
