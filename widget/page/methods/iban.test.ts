import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editIban, isIban } from './iban.ts'

const GOOD = 'GB35SAND00000000000077'

describe('an IBAN', () => {
  it('is valid with correct check digits in any notation', () => {
    expect(isIban(GOOD)).toBe(true)
    expect(isIban('gb35 sand 0000 0000 0000 77')).toBe(true)
    expect(isIban('DE89 3704 0044 0532 0130 00')).toBe(true)
    expect(isIban('DE89370400440532013001')).toBe(false)
    expect(isIban('')).toBe(false)
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

  it('is grouped in fours and capitalized while it is typed', () => {
    const edit = editIban({ before: '', text: 'gb35sand0', caret: 9, forward: false })
    expect(edit).toEqual({ text: 'GB35 SAND 0', caret: 11 })
  })
})
