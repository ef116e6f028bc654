import { iso31662 } from 'iso-3166'
import { describe, expect, it } from 'vitest'
import { address } from '../../shared/schemas/common.ts'
import { regionsOf } from './regions.ts'

/** Subdivisions that have their own country code in ISO 3166-1, and are in the list of countries. */
const TERRITORIES = new Set(['US-AS', 'US-GU', 'US-MP', 'US-PR', 'US-UM', 'US-VI'])

/** Entries of ISO 3166-2 without subdivisions. */
function listed(country: string): { code: string; name: string }[] {
  const all = iso31662.filter(({ code }) => code.startsWith(`${country}-`))
  const parents = new Set(all.map(({ parent }) => parent))
  return all.filter(({ code }) => !parents.has(code) && !TERRITORIES.has(code))
}

/** The standard has India's names with long vowels, which are uncommon in addresses. */
const plain = (name: string) =>
  name
    .replace(/ \(.*\)/, '')
    .normalize('NFD')
    .replace(/\u0304/g, '')
    .normalize('NFC')

describe.each(['US', 'CA', 'AU', 'BR', 'IN', 'MX'])('the regions of %s', (country) => {
  const regions = regionsOf(country)

  it('are those of ISO 3166-2', () => {
    const codes = (list: readonly { code: string }[]) => list.map(({ code }) => code).toSorted()
    expect(codes(regions)).toEqual(codes(listed(country)))
  })

  it('have the names of ISO 3166-2', () => {
    const names = new Map(listed(country).map(({ code, name }) => [code, plain(name)]))
    for (const { code, name } of regions) expect(name, code).toBe(names.get(code))
  })

  it('are sorted by name', () => {
    const names = regions.map(({ name }) => name)
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')))
  })

  it('are valid in an address', () => {
    for (const { code } of regions) {
      expect(address.safeParse({ country, line6: code }).success, code).toBe(true)
    }
  })
})

it('are empty for a country whose addresses have none', () => {
  for (const country of ['DE', 'FR', 'GB', '']) expect(regionsOf(country)).toEqual([])
})
