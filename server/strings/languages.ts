import type { Instance } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { fromJson } from '../db/json.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { lockInstance, updateInstance } from '../instances/store.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'
import { listStringLanguages } from './store.ts'

/** Which languages an instance offers, and which of them a payer gets (contract section 14.4). */

const offered = new WeakMap<object, Map<string, Promise<string[]>>>()

/**
 * The languages on offer, `default` first: those that are shipped and those that the merchant has
 * written, narrowed by the instance's own list when it has one. Read once per version of wording.
 */
export function getOfferedLanguages(deps: Pick<Deps, 'db'>, instance: Instance): Promise<string[]> {
  const cache = offered.get(deps.db) ?? new Map<string, Promise<string[]>>()
  offered.set(deps.db, cache)
  const key = `${instance.id}/${instance.strings_version}/${instance.languages ?? ''}`
  const ready = cache.get(key)
  if (ready) return ready
  const made = listOfferedLanguages(deps, instance)
  made.catch(() => cache.delete(key))
  if (cache.size > 1000) cache.clear()
  cache.set(key, made)
  return made
}

async function listOfferedLanguages(deps: Pick<Deps, 'db'>, instance: Instance): Promise<string[]> {
  const written = await listStringLanguages(deps.db, instance.id)
  const all = new Set([...Object.keys(DEFAULT_CATALOG), ...written])
  all.delete('default')
  const allowed = fromJson<string[]>(instance.languages)
  const narrowed = allowed ? [...all].filter((language) => allowed.includes(language)) : [...all]
  // The base wording is what everything falls back to, so it is always there.
  return ['default', ...narrowed.toSorted((a, b) => (a < b ? -1 : 1))]
}

/**
 * Adds a language to the instance's own list, where it has one that leaves the language out: saving
 * wording in a language is all that it takes to offer it. `now` is in epoch milliseconds.
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

/** What a payer asks for, in the order in which it counts. */
export interface LanguagePreferences {
  /** `?lang=` of the link's address. */
  requested?: string | undefined
  /** The locale of the account that the link names. */
  account?: string | null | undefined
  /** The `Accept-Language` header. */
  accepted?: string | undefined
}

/** The first wish that is on offer, else the base wording. */
export function chooseLanguage(wishes: LanguagePreferences, languages: readonly string[]): string {
  const wanted = [wishes.requested, wishes.account, ...parseAcceptLanguage(wishes.accepted)]
  for (const wish of wanted) {
    const found = (wish == null ? [] : candidateCodes(wish)).find((code) =>
      languages.includes(code),
    )
    if (found) return found
  }
  return 'default'
}

/**
 * The codes that serve a wish: `fr-CH` is French, `zh-Hant` Chinese, both Norwegians fall back to
 * `no`. English is what the base wording speaks, unless somebody wrote an English of their own.
 */
function candidateCodes(wish: string): string[] {
  const code = wish.trim().toLowerCase()
  if (code === 'default') return ['default']
  const short = /^([a-z]{2})(?:[-_]|$)/.exec(code)?.[1]
  if (!short) return []
  if (short === 'nb' || short === 'nn') return [short, 'no']
  return short === 'en' ? ['en', 'default'] : [short]
}

/** The languages of an `Accept-Language` header, best first; what is refused (q=0) is left out. */
function parseAcceptLanguage(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 1000)
    .split(',')
    .map((part, index) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const q = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1])
      return { tag, index, quality: Number(q.find((found) => found !== undefined) ?? 1) }
    })
    .filter(({ tag, quality }) => tag !== '' && tag !== '*' && quality > 0)
    .toSorted((a, b) => b.quality - a.quality || a.index - b.index)
    .map(({ tag }) => tag)
}
