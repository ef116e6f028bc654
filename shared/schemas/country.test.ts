import { describe, expect, it } from 'vitest'
import { countries } from '../../widget/page/countries.ts'
import { isCountry, isSubdivision } from './country.ts'

describe('a country', () => {
  it.each(['DE', 'GB', 'US', 'AX', 'TW', 'SS'])('is %s', (code) => {
    expect(isCountry(code)).toBe(true)
  })

  it.each(['ZZ', 'UK', 'EU', 'XK', 'AN', 'AA', 'de', 'DEU', 'Germany', '', ' DE', 'constructor'])(
    'is not "%s"',
    (code) => {
      expect(isCountry(code)).toBe(false)
    },
  )

  it('is each one that the page offers', () => {
    const codes = countries('en').map(({ code }) => code)
    expect(codes.length).toBeGreaterThan(200)
    expect(codes.filter((code) => !isCountry(code))).toEqual([])
  })
})

describe('a subdivision', () => {
  it.each(['US-CA', 'GB-ENG', 'FR-75', 'FR-75C'])('is %s', (code) => {
    expect(isSubdivision(code)).toBe(true)
  })

  it.each(['ZZ-CA', 'UK-ENG', 'US-', 'US-ABCD', 'us-ca', 'CA', 'California', ''])(
    'is not "%s"',
    (code) => {
      expect(isSubdivision(code)).toBe(false)
    },
  )
})
