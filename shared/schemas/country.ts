import { iso31661 } from 'iso-3166'

/**
 * Country codes from ISO 3166-1. `Intl` also has codes that are not countries, such as `ZZ`, `EU`
 * and `UK`.
 */
const ASSIGNED: ReadonlySet<string> = new Set(iso31661.map(({ alpha2 }) => alpha2))

/** Returns whether a text is an assigned ISO 3166-1 alpha-2 code in capital letters. */
export function isCountry(code: string): boolean {
  return ASSIGNED.has(code)
}

/** The form of an ISO 3166-2 code. */
export const SUBDIVISION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/

/**
 * Returns whether a text has the form of an ISO 3166-2 code of a country, such as `US-CA`. The
 * subdivision is not looked up: ISO renames some every year, and addresses older or newer than a
 * list would be rejected.
 */
export function isSubdivision(code: string): boolean {
  return SUBDIVISION.test(code) && isCountry(code.slice(0, 2))
}
