import { languageName } from '../../shared/rules/display.ts'
import { numberStyle } from '../../shared/rules/number-style.ts'
import { BoundedMap } from '../bounded-map.ts'

// `Intl` takes longer than the rest of a page, and its results never change.
const names = new BoundedMap<string, string>(200)
const styles = new BoundedMap<string, ReturnType<typeof numberStyle>>(200)

/** Returns language codes in the order of the languages' own names, as payers look them up. */
export function sortByOwnName(codes: readonly string[]): string[] {
  const ownName = (code: string) => names.getOrCreate(code, () => languageName(code))
  return codes.toSorted((a, b) => ownName(a).localeCompare(ownName(b), 'en'))
}

export function cachedNumberStyle(language: string): ReturnType<typeof numberStyle> {
  return styles.getOrCreate(language, () => numberStyle(language))
}
