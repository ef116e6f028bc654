import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isExactNumber } from './json-numbers.ts'

describe('a number in a request', () => {
  it.each([
    '0',
    '-0',
    '0.0',
    '1',
    '-1.50',
    '9007199254740992',
    '12345678901234567000',
    '1e3',
    '1E+3',
    '1.5e-7',
    '0.1',
    '100000000000000000000',
    '5e-324',
    '1.7976931348623157e308',
    '0e400',
    '-0.00E-9',
    '9.99999999e307',
    '4.9406564584e-300',
  ])('%s keeps its value', (written) => {
    expect(isExactNumber(written, Number(written))).toBe(true)
  })

  it.each([
    '9007199254740993',
    '1145678901234567891',
    '1e400',
    '-1e400',
    '1e-400',
    '10.5e-400',
    '1.2345678e-320',
    '0.10000000000000000001',
    '3.14159265358979323846',
    '123456789.123456789123',
  ])('%s would change its value', (written) => {
    expect(isExactNumber(written, Number(written))).toBe(false)
  })

  it('keeps up to 15 digits', () => {
    const exponent = fc.integer({ min: -290, max: 290 })
    fc.assert(
      fc.property(fc.stringMatching(/^-?[1-9]\d{0,14}$/), exponent, (digits, power) => {
        const written = `${digits}e${power}`
        const read = Number(written)
        expect(isExactNumber(written, read)).toBe(true)
        expect(Number(read.toPrecision(15))).toBe(read)
      }),
    )
  })

  it('keeps the value of any number that JavaScript prints', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(isExactNumber(JSON.stringify(value), value)).toBe(true)
      }),
    )
  })
})
