import { readFileSync, readdirSync } from 'node:fs'
import type { Strings } from '../../shared/rules/wording.ts'
import { ROOT } from '../root.ts'

const folder = new URL('locales/', ROOT)

/**
 * The strings of `locales/*.json` by language. `default` is English and the base of all others. Every
 * file is read at the start, so that files of another version cannot mix in, and parsed on first use.
 */
export const DEFAULT_CATALOG: Readonly<Record<string, Strings>> = Object.defineProperties(
  {},
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => {
        const read = parsedOnFirstUse<Strings>(name)
        return [name.slice(0, -'.json'.length), { enumerable: true, get: read }]
      }),
  ),
)

/** Returns what each string is for, in English, by its id without a plural form. */
export const stringNotes = parsedOnFirstUse<Readonly<Record<string, string>>>('notes/en.json')

function parsedOnFirstUse<T>(name: string): () => T {
  const text = readFileSync(new URL(name, folder))
  let parsed: T | undefined
  return () => (parsed ??= JSON.parse(text.toString()) as T)
}
