import { parseAccept } from 'hono/utils/accept'
import type { Instance } from '../db/tables/instances.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { createCache, getOrLoad, perDatabase } from '../cache.ts'
import { fromJson } from '../db/json.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { lockInstance, updateInstance } from '../instances/store.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'
import { listStringLanguages } from './store.ts'

const offeredLanguages = perDatabase(() => createCache<Promise<string[]>>(1000))

/**
 * Returns the languages of the default catalog and of the merchant's strings, limited to the
 * instance's list if it has one. `default` comes first. Cached per version of the strings.
 */
export function getOfferedLanguages(deps: Pick<Deps, 'db'>, instance: Instance): Promise<string[]> {
  const key = `${instance.id}/${instance.strings_version}/${instance.languages ?? ''}`
  return getOrLoad(offeredLanguages(deps.db), key, () => listOfferedLanguages(deps, instance))
}

async function listOfferedLanguages(deps: Pick<Deps, 'db'>, instance: Instance): Promise<string[]> {
  const own = await listStringLanguages(deps.db, instance.id)
  const all = new Set([...Object.keys(DEFAULT_CATALOG), ...own])
  all.delete('default')
  const allowed = fromJson<string[]>(instance.languages)
  const narrowed = allowed ? [...all].filter((language) => allowed.includes(language)) : [...all]
  // Always included, because all strings fall back to it.
  return ['default', ...narrowed.toSorted((a, b) => (a < b ? -1 : 1))]
}

/**
 * Adds a language to the instance's list of languages if the list lacks it, because saving a string
 * offers its language. `now` is in epoch milliseconds.
 */
export async function offerLanguage(
  tx: Tx,
  instanceId: string,
  language: string,
  now: number,
): Promise<void> {
  const instance = await lockInstance(tx, instanceId)
  const listed = fromJson<string[]>(instance.languages)
  if (listed === null || listed.includes(language)) return
  await updateInstance(
    tx,
    {
      ...instance,
      languages: JSON.stringify([...listed, language]),
      updated: formatInstant(now),
      v: instance.v + 1,
    },
    instance.v,
  )
}

/** A payer's preferred languages, strongest first. */
export interface LanguagePreferences {
  /** `?lang=` of the link's URL. */
  requested?: string | undefined
  /** The locale of the account that the link names. */
  account?: string | null | undefined
  /** The `Accept-Language` header. */
  accepted?: string | undefined
}

/** Returns the first preferred language that is offered, else `default`. */
export function chooseLanguage(
  { requested, account, accepted }: LanguagePreferences,
  languages: readonly string[],
): string {
  const tags = [requested, account, ...parseAcceptLanguage(accepted)]
  const codes = tags.flatMap((tag) => (tag == null ? [] : candidateCodes(tag)))
  return codes.find((code) => languages.includes(code)) ?? 'default'
}

/**
 * Returns the language codes that match a tag: `fr-CH` is `fr`, and `nb` and `nn` fall back to `no`.
 * English falls back to `default`.
 */
function candidateCodes(tag: string): string[] {
  const code = tag.trim().toLowerCase()
  if (code === 'default') return ['default']
  const short = /^([a-z]{2})(?:[-_]|$)/.exec(code)?.[1]
  if (!short) return []
  if (short === 'nb' || short === 'nn') return [short, 'no']
  return short === 'en' ? ['en', 'default'] : [short]
}

/** Returns the tags of an `Accept-Language` header by quality. A quality of 0 excludes a tag. */
function parseAcceptLanguage(header: string | undefined): string[] {
  return parseAccept((header ?? '').slice(0, 1000))
    .filter(({ type, q }) => type !== '*' && q > 0)
    .map(({ type }) => type)
}
