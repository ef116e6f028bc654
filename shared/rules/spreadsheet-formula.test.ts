import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeFormula, unescapeFormula } from './spreadsheet-formula.ts'

describe('a cell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠x'])(
    'that a spreadsheet would compute begins with an apostrophe: %j',
    (text) => {
      expect(escapeFormula(text)).toBe(`'${text}`)
    },
  )

  it.each(['', 'Pay', "'tis paid", '1-1', 'a=b', ' =1'])(
    'of other text is the text: %j',
    (text) => {
      expect(escapeFormula(text)).toBe(text)
    },
  )

  it('gives back any text', () => {
    const texts = fc.string({ unit: fc.constantFrom("'", '=', '-', '＝', 'a', ' '), maxLength: 6 })
    fc.assert(
      fc.property(texts, (text) => {
        expect(unescapeFormula(escapeFormula(text))).toBe(text)
      }),
    )
  })
})
