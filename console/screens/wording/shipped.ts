import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Strings } from '../../../shared/rules/wording.ts'
import { SHIPPED_FILES, SHIPPED_LANGUAGES } from '../../shipped-languages.ts'

const loaded = signal<Readonly<Record<string, Strings>>>({})

async function load(languages: readonly string[]): Promise<void> {
  const wanted = languages.filter(
    (language) => SHIPPED_LANGUAGES.includes(language) && !loaded.peek()[language],
  )
  const read = async (language: string) => {
    const strings = await SHIPPED_FILES[`../locales/${language}.json`]?.()
    return strings ? [[language, strings] as const] : []
  }
  const found = await Promise.all(wanted.map(read))
  if (found.length > 0) loaded.value = { ...loaded.peek(), ...Object.fromEntries(found.flat()) }
}

/**
 * Loads the shipped strings: the base and this language at once, all others when the browser is idle.
 * Returns those that are there, by language.
 */
export function useShipped(language: string): Readonly<Record<string, Strings>> {
  useEffect(() => {
    void load(['default', language])
  }, [language])
  const isBegun = isLoaded(loaded.value, 'default') && isLoaded(loaded.value, language)
  useEffect(() => {
    if (!isBegun) return undefined
    const idle = setTimeout(() => void load(SHIPPED_LANGUAGES), 300)
    return () => clearTimeout(idle)
  }, [isBegun])
  return loaded.value
}

/** True for what ships in a language, and for a language that ships nothing. */
export function isLoaded(shipped: Readonly<Record<string, Strings>>, language: string): boolean {
  return shipped[language] !== undefined || !SHIPPED_LANGUAGES.includes(language)
}
