import type { Strings } from '../shared/rules/wording.ts'

/** Loads the wording that ships, one file a language. */
export const SHIPPED_FILES = import.meta.glob<Strings>('../locales/*.json', { import: 'default' })

const languageOf = (path: string) => path.replace(/^.*\/|\.json$/g, '')

const byBaseFirst = (a: string, b: string): number =>
  a === 'default' ? -1 : b === 'default' ? 1 : a < b ? -1 : 1

/** Every language that ships; `default` is the English base. */
export const SHIPPED_LANGUAGES: readonly string[] = Object.keys(SHIPPED_FILES).map(languageOf)

/** Returns the languages that ship and those of the merchant's own rows, the base first. */
export function languagesOf(rows: readonly { language: string }[]): string[] {
  const own = rows.map(({ language }) => language)
  return [...new Set([...SHIPPED_LANGUAGES, ...own])].toSorted(byBaseFirst)
}
