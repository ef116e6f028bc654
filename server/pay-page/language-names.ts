import { LRUCache } from 'lru-cache'
import { languageName } from '../../shared/rules/display.ts'
import { numberStyle } from '../../shared/rules/number-style.ts'

// `Intl` takes longer than the rest of a page, and its results never change.
const names = new LRUCache<string, string>({ max: 200, memoMethod: (code) => languageName(code) })
const styles = new LRUCache<string, ReturnType<typeof numberStyle>>({
  max: 200,
  memoMethod: (language) => numberStyle(language),
})

/** Returns language codes in the order of the languages' own names, as payers look them up. */
export function sortByOwnName(codes: readonly string[]): string[] {
  return codes.toSorted((a, b) => names.memo(a).localeCompare(names.memo(b), 'en'))
}

export function cachedNumberStyle(language: string): ReturnType<typeof numberStyle> {
  return styles.memo(language)
}
