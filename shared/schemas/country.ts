import { iso31661 } from 'iso-3166'

/**
 * Which codes are countries, from the ISO 3166-1 list.
 *
 * Never from `Intl`: it names codes that stand for no country, such as `ZZ`, `EU` and `UK`.
 */
const ASSIGNED: ReadonlySet<string> = new Set(iso31661.map(({ alpha2 }) => alpha2))

/** Returns whether a text is an assigned ISO 3166-1 alpha-2 code, in capital letters. */
export function isCountry(code: string): boolean {
  return ASSIGNED.has(code)
}

/** The form of an ISO 3166-2 code. */
export const SUBDIVISION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/

/**
 * Returns whether a text is formed as an ISO 3166-2 code of a country, such as `US-CA`. The part
 * behind the hyphen is not looked up: ISO renames subdivisions every year, and addresses that are
 * older or newer than a list would be refused.
 */
export function isSubdivision(code: string): boolean {
  return SUBDIVISION.test(code) && isCountry(code.slice(0, 2))
}
