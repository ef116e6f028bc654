import { describe, expect, it } from 'vitest'
import { currencyDigits } from './currency.ts'

/** ISO 4217 exponents, written out independently of the data package. */
const NONE = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const THREE = 'BHD IQD JOD KWD LYD OMR TND'
const FOUR = 'CLF UYW'

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
const EVERY_CODE = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c)))
const withDigits = (digits: number) =>
  EVERY_CODE.filter((code) => currencyDigits(code) === digits).join(' ')

describe('the decimals of a currency', () => {
  it.each([
    [0, NONE],
    [3, THREE],
    [4, FOUR],
  ])('are %i for exactly the currencies of the list', (digits, codes) => {
    expect(withDigits(digits)).toBe(codes)
  })

  it('are two for every other currency', () => {
    const known = EVERY_CODE.map(currencyDigits).filter((digits) => digits !== undefined)
    expect(new Set(known)).toEqual(new Set([0, 2, 3, 4]))
    expect(known.length).toBeGreaterThan(150)
  })

  it.each(['EUR', 'USD', 'GBP', 'CHF', 'INR', 'HUF', 'COP', 'LAK', 'AFN', 'XCD', 'XCG', 'ZWG'])(
    'are two for %s, whatever the display digits of a runtime are',
    (code) => {
      expect(currencyDigits(code)).toBe(2)
    },
  )
})

describe('a code that is not money', () => {
  it.each(['XAU', 'XAG', 'XPT', 'XPD', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XSU', 'XUA'])(
    'refuses the metal, bond unit or unit of account %s',
    (code) => {
      expect(currencyDigits(code)).toBeUndefined()
    },
  )

  it.each(['XXX', 'XTS', 'ZZZ', 'AAA', 'DEM', 'XBT', 'BTC'])(
    'refuses the test, unknown or withdrawn code %s',
    (code) => {
      expect(currencyDigits(code)).toBeUndefined()
    },
  )

  it.each(['', 'eur', 'Eur', ' EUR', 'EURO', 'constructor', '__proto__'])(
    'refuses "%s", which is no code at all',
    (code) => {
      expect(currencyDigits(code)).toBeUndefined()
    },
  )
})
