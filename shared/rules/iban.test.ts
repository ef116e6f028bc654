import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isIban } from './iban.ts'

const GOOD = 'GB35SAND00000000000077'

describe('an IBAN', () => {
  it('is valid with correct check digits', () => {
    expect(isIban(GOOD)).toBe(true)
    expect(isIban('DE89370400440532013000')).toBe(true)
  })

  it('is invalid with any single wrong digit', () => {
    const slip = fc.tuple(fc.integer({ min: 8, max: 21 }), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(slip, ([place, add]) => {
        const wrong = Array.from(GOOD)
        wrong[place] = String((Number(wrong[place]) + add) % 10)
        expect(isIban(wrong.join(''))).toBe(false)
      }),
    )
  })

  it.each(['', 'GB68', 'gb68sand00000000000259', '68GBSAND00000000000259'])('is not %j', (text) => {
    expect(isIban(text)).toBe(false)
  })
})
