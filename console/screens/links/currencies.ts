import { language } from '../../words.ts'

/** Currencies that most shops use; the others follow by their code. */
const USUAL = [
  'EUR',
  'USD',
  'GBP',
  'CHF',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CZK',
  'HUF',
  'JPY',
  'CAD',
  'AUD',
]

/** Returns the choices of a currency, with `chosen` among them. */
export function currencyOptions(chosen: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(language(), { type: 'currency' })
  const others = Intl.supportedValuesOf('currency').filter((code) => !USUAL.includes(code))
  const codes = [...new Set([chosen, ...USUAL, ...others])]
  return codes.map((code) => ({ value: code, label: `${code} ${names.of(code) ?? ''}`.trim() }))
}
