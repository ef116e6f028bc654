import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Strings } from '../../../shared/rules/wording.ts'
import { online } from '../../shell/online.ts'
import { SHIPPED_FILES, SHIPPED_LANGUAGES } from '../../shipped-languages.ts'

const loaded = signal<Readonly<Record<string, Strings>>>({})

/** What cannot be fetched is left out. */
async function load(languages: readonly string[]): Promise<void> {
  const wanted = languages.filter(
    (language) => SHIPPED_LANGUAGES.includes(language) && !loaded.peek()[language],
  )
  const read = async (language: string) => {
    const strings = await SHIPPED_FILES[`../locales/${language}.json`]?.()
    return strings ? [[language, strings] as const] : []
  }
  const files = await Promise.allSettled(wanted.map(read))
  const found = files.flatMap((file) => (file.status === 'fulfilled' ? file.value : []))
  if (found.length > 0) loaded.value = { ...loaded.peek(), ...Object.fromEntries(found) }
}

/**
 * Loads the shipped strings: the base and this language at once, all others when the browser is idle.
 * Returns those that are there, by language. What a lost connection kept away is loaded when it is back.
 */
export function useShipped(language: string): Readonly<Record<string, Strings>> {
  useEffect(() => {
    void load(['default', language])
  }, [language, online.value])
  const isBegun = isLoaded(loaded.value, 'default') && isLoaded(loaded.value, language)
  useEffect(() => {
    if (!isBegun) return undefined
    const idle = setTimeout(() => void load(SHIPPED_LANGUAGES), 300)
    return () => clearTimeout(idle)
  }, [isBegun, online.value])
  return loaded.value
}

/** True for what ships in a language, and for a language that ships nothing. */
export function isLoaded(shipped: Readonly<Record<string, Strings>>, language: string): boolean {
  return shipped[language] !== undefined || !SHIPPED_LANGUAGES.includes(language)
}
