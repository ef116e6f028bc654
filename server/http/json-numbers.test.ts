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
  ])('%s keeps its value', (written) => {
    expect(isExactNumber(written, Number(written))).toBe(true)
  })

  it.each([
    '9007199254740993',
    '1145678901234567891',
    '1e400',
    '-1e400',
    '1e-400',
    '0.10000000000000000001',
    '3.14159265358979323846',
    '123456789.123456789123',
  ])('%s would change its value', (written) => {
    expect(isExactNumber(written, Number(written))).toBe(false)
  })

  it('keeps the value of any number that JavaScript prints', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(isExactNumber(JSON.stringify(value), value)).toBe(true)
      }),
    )
  })
})
