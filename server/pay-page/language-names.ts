import { languageName, numberStyle } from '../../shared/rules/display.ts'

// `Intl` takes longer than the rest of a page, and its results never change.
const languageNames = new Map<string, string>()
const numberStyles = new Map<string, ReturnType<typeof numberStyle>>()

/** Returns language codes in the order of the languages' own names, as payers look them up. */
export function sortByOwnName(codes: readonly string[]): string[] {
  return codes.toSorted((a, b) => ownName(a).localeCompare(ownName(b), 'en'))
}

function ownName(language: string): string {
  const name = languageNames.get(language) ?? languageName(language)
  languageNames.set(language, name)
  return name
}

export function cachedNumberStyle(language: string): ReturnType<typeof numberStyle> {
  const style = numberStyles.get(language) ?? numberStyle(language)
  numberStyles.set(language, style)
  return style
}
