import { language } from '../words.ts'

/** Returns the name of a country by its code of ISO 3166-1; undefined for a text that is no code. */
export function countryName(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined
  return new Intl.DisplayNames(language(), { type: 'region', fallback: 'none' }).of(code)
}
