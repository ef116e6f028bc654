import { readFileSync, readdirSync } from 'node:fs'
import type { Strings } from '../../shared/rules/wording.ts'
import { ROOT } from '../root.ts'

const folder = new URL('locales/', ROOT)

/** The strings of `locales/*.json` by language. `default` is English and the base of all others. */
export const DEFAULT_CATALOG: Readonly<Record<string, Strings>> = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [
      name.slice(0, -'.json'.length),
      JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Strings,
    ]),
)

/** What each string is for, in English, by its id without a plural form. */
export const STRING_NOTES = JSON.parse(
  readFileSync(new URL('notes/en.json', folder), 'utf8'),
) as Readonly<Record<string, string>>
