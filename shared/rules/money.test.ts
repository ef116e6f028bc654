import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMinor, parseAmount } from './money.ts'

const minor = fc.bigInt({ min: 0n, max: 999_999_999_999n }).map(Number)
const digits = fc.integer({ min: 0, max: 4 })

describe('parsing an amount', () => {
  it.each([
    ['10.50', 2, 1050],
    ['10.5', 2, 1050],
    ['10', 2, 1000],
    ['0', 2, 0],
    ['0.01', 2, 1],
    ['010.50', 2, 1050],
    ['10.5000000000', 2, 1050],
    [`10.${'0'.repeat(29)}`, 2, 1000],
    ['500', 0, 500],
    ['500.00', 0, 500],
    ['1.234', 3, 1234],
    ['1.2', 3, 1200],
    ['1.2345', 4, 12345],
    ['999999999999.99', 2, 99_999_999_999_999],
    ['999999999999.999', 3, 999_999_999_999_999],
  ])('accepts %s with %i decimals', (text, places, expected) => {
    expect(parseAmount(text, places)).toEqual({ ok: true, minor: expected })
  })

  it.each([
    [`10.${'0'.repeat(30)}`, 'TOO_LONG'],
    ['x'.repeat(1_000_000), 'TOO_LONG'],
    ['', 'FORMAT'],
    [' 10', 'FORMAT'],
    ['10 ', 'FORMAT'],
    ['10\n', 'FORMAT'],
    ['+10', 'FORMAT'],
    ['-10', 'FORMAT'],
    ['10,50', 'FORMAT'],
    ['1,000.00', 'FORMAT'],
    ['1 000', 'FORMAT'],
    ['1e3', 'FORMAT'],
    ['0x10', 'FORMAT'],
    ['.50', 'FORMAT'],
    ['10.', 'FORMAT'],
    ['1.2.3', 'FORMAT'],
    ['NaN', 'FORMAT'],
    ['Infinity', 'FORMAT'],
    ['١٠', 'FORMAT'],
    ['£10', 'FORMAT'],
    ['1000000000000', 'FORMAT'],
    ['10.505', 'DECIMALS'],
    ['10.001', 'DECIMALS'],
    ['0.00000000000000000001', 'DECIMALS'],
  ])('refuses "%s" for a currency with two decimals', (text, problem) => {
    expect(parseAmount(text, 2)).toEqual({ ok: false, problem })
  })

  it.each([
    ['500.50', 0, 'DECIMALS'],
    ['1.2345', 3, 'DECIMALS'],
    ['999999999999.9999', 4, 'TOO_LARGE'],
    ['900719925474.0992', 4, 'TOO_LARGE'],
  ])('refuses %s with %i decimals', (text, places, problem) => {
    expect(parseAmount(text, places)).toEqual({ ok: false, problem })
  })

  it('accepts the largest safe integer and rejects the next', () => {
    expect(parseAmount('900719925474.0991', 4)).toEqual({ ok: true, minor: 2 ** 53 - 1 })
  })
})

describe('formatting an amount', () => {
  it.each([
    [500, 0, '500'],
    [0, 0, '0'],
    [1000, 2, '10.00'],
    [5, 2, '0.05'],
    [0, 2, '0.00'],
    [1234, 3, '1.234'],
    [1, 4, '0.0001'],
  ])('writes %i with %i decimals as %s', (amount, places, expected) => {
    expect(formatMinor(amount, places)).toBe(expected)
  })

  it('is read back as the same number of minor units', () => {
    fc.assert(
      fc.property(minor, digits, (amount, places) => {
        expect(parseAmount(formatMinor(amount, places), places)).toEqual({
          ok: true,
          minor: amount,
        })
      }),
    )
  })

  it('has exactly the decimals of the currency', () => {
    fc.assert(
      fc.property(minor, digits, (amount, places) => {
        const [, decimals = ''] = formatMinor(amount, places).split('.')
        expect(decimals).toHaveLength(places)
      }),
    )
  })
})
