import { intlLanguage } from './wording.ts'

/** How people write a currency beside an amount: as its code, symbol or name. */

/** Common spellings that `Intl` does not have. */
const ALSO: Readonly<Record<string, string>> = {
  CNY: '元 rmb',
  KRW: '원',
  INR: 'rs.',
  TRY: 'tl',
  UAH: 'грн',
}

type Display = 'symbol' | 'narrowSymbol' | 'name'

/** Numbers that cover the plural forms of all languages. */
const COUNTS = [1, 2, 5, 20, 1.5]

/**
 * Returns whether a text beside an amount means the currency. OWN: as in the first language.
 * PERHAPS: as in another language, or ambiguous, such as a bare `$` for Canadian dollars on a page
 * in English. OTHER: it means something else.
 */
export function readCurrencyMark(
  mark: string,
  currency: string,
  [language = 'default', ...others]: readonly string[],
): 'OWN' | 'PERHAPS' | 'OTHER' {
  const folded = foldMark(mark)
  const writes = (code: string, display: Display) => marksIn(code, currency, display).has(folded)
  if (folded === currency.toLowerCase()) return 'OWN'
  if (writes(language, 'symbol') || writes(language, 'name')) return 'OWN'
  if (ALSO[currency]?.split(' ').includes(folded)) return 'PERHAPS'
  if (writes(language, 'narrowSymbol')) return 'PERHAPS'
  return others.some((other) => writes(other, 'symbol')) ? 'PERHAPS' : 'OTHER'
}

/** Creating one takes milliseconds on a phone, and an amount is parsed with every keystroke. */
const cache = new Map<string, ReadonlySet<string>>()

function marksIn(
  language: string,
  currency: string,
  currencyDisplay: Display,
): ReadonlySet<string> {
  const key = `${language} ${currency} ${currencyDisplay}`
  const marks = cache.get(key) ?? new Set(written(language, currency, currencyDisplay))
  cache.set(key, marks)
  return marks
}

function written(language: string, currency: string, currencyDisplay: Display): string[] {
  const format = new Intl.NumberFormat(intlLanguage(language), {
    style: 'currency',
    currency,
    currencyDisplay,
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  })
  const parts = COUNTS.flatMap((count) => format.formatToParts(count))
  return parts.filter(({ type }) => type === 'currency').map(({ value }) => foldMark(value))
}

/** Removes directional marks and normalizes letters. */
function foldMark(mark: string): string {
  const plain = mark.replace(/[\u061C\u200E\u200F\u2066-\u2069]/g, '').normalize('NFKC')
  return plain.replace(/\s+/g, ' ').trim().toLowerCase()
}
