import { intlLanguage } from '../../shared/rules/wording.ts'

/**
 * The countries and territories with postal addresses: the second letters of their ISO 3166-1 codes,
 * one group for each first letter from A to Z.
 */
const COUNTRIES =
  'DEFGILMORSTUWXZ ABDEFGHIJLMNOQRSTWYZ ACDFGHIKLMNORUVWXYZ EJKMOZ CEGHRST IJKMOR ABDEFGHILMNPQRTUWY KNRTU DELMNOQRST EMOP EGHIMNPRWYZ ABCIKRSTUVY ACDEFGHKLMNOPQRSTUVWXYZ ACEFGILOPRUZ M AEFGHKLMNRSTWY A EOSUW ABCDEGHIJKLMNORSTVXYZ CDGHJKLMNORTVWZ AGSYZ ACEGINU FS  ET AMW'

export interface Country {
  code: string
  name: string
}

/** Returns a country with its name in the payer's language. */
export function country(code: string, language: string): Country {
  const names = new Intl.DisplayNames(intlLanguage(language), { type: 'region' })
  return { code, name: names.of(code) ?? code }
}

/** Returns all countries, named and sorted in the payer's language. */
export function countries(language: string): Country[] {
  const codes = COUNTRIES.split(' ').flatMap((seconds, first) =>
    Array.from(seconds, (second) => String.fromCharCode(65 + first) + second),
  )
  const collator = new Intl.Collator(intlLanguage(language))
  const list = codes.map((code) => country(code, language))
  // eslint-disable-next-line unicorn/no-array-sort -- toSorted is younger than our oldest browser
  return list.sort((a, b) => collator.compare(a.name, b.name))
}
