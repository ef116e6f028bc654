import { intlLanguage } from '../../shared/rules/wording.ts'

/** An amount with the number of decimals that ISO 4217 gives its currency. */
export interface Money {
  /** Decimal string in major units. */
  amount: string
  currency: string
  currency_digits: number
}

/**
 * An amount in the payer's language. The decimals are passed in, because `Intl` would print
 * 10.50 HUF as 11 HUF: a price that nobody is charged (contract section 2).
 */
export function moneyText(money: Money, language: string): string {
  return new Intl.NumberFormat(intlLanguage(language), {
    style: 'currency',
    currency: money.currency,
    minimumFractionDigits: money.currency_digits,
    maximumFractionDigits: money.currency_digits,
    // A decimal string keeps every digit, where a float would not.
  }).format(money.amount as unknown as number)
}

/** A moment in the payer's language, always with the name of the zone (contract section 3). */
export function momentText(iso: string, language: string, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat(intlLanguage(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(iso))
}

/** ISO 3166-1 codes of places that people have addresses in. */
const COUNTRIES =
  'ADAEAFAGAIALAMAOARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGTGUGWGYHKHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW'

export interface Country {
  code: string
  name: string
}

/** One country by its code, named in the payer's language. */
export function country(code: string, language: string): Country {
  const names = new Intl.DisplayNames(intlLanguage(language), { type: 'region' })
  return { code, name: names.of(code) ?? code }
}

/** Every country, named and sorted in the payer's language. */
export function countries(language: string): Country[] {
  const codes = COUNTRIES.match(/../g) ?? []
  const collator = new Intl.Collator(intlLanguage(language))
  return codes
    .map((code) => country(code, language))
    .sort((a, b) => collator.compare(a.name, b.name))
}
