import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Strings } from '../../../shared/rules/wording.ts'

/** The wording that ships, one file a language, loaded when it is first needed. */

const FILES = import.meta.glob<Strings>('../../../locales/*.json', { import: 'default' })

const languageOf = (path: string) => path.replace(/^.*\/|\.json$/g, '')

/** Every language that ships; `default` is the English base. */
export const SHIPPED_LANGUAGES: readonly string[] = Object.keys(FILES)
  .map(languageOf)
  .toSorted((a, b) => (a === 'default' ? -1 : b === 'default' ? 1 : a < b ? -1 : 1))

const loaded = signal<Readonly<Record<string, Strings>>>({})

async function load(language: string): Promise<void> {
  const file = FILES[`../../../locales/${language}.json`]
  if (!file || loaded.peek()[language]) return
  const strings = await file()
  loaded.value = { ...loaded.peek(), [language]: strings }
}

/** Loads the shipped strings of these languages. Returns those that are there, by language. */
export function useShipped(languages: readonly string[]): Readonly<Record<string, Strings>> {
  useEffect(() => {
    for (const language of languages) void load(language)
  }, [languages.join()])
  return loaded.value
}

/** True for what ships in a language, and for a language that ships nothing. */
export function isLoaded(shipped: Readonly<Record<string, Strings>>, language: string): boolean {
  return shipped[language] !== undefined || !SHIPPED_LANGUAGES.includes(language)
}
