import { describe, expect, it } from 'vitest'
import { westernDigits } from './western-digits.ts'

describe('digits of other scripts', () => {
  it.each(['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '०१२३४५६७८९', '０１２３４５６７８９'])(
    '%s become 0 to 9',
    (text) => {
      expect(westernDigits(text)).toBe('0123456789')
    },
  )

  it('keeps all other characters', () => {
    expect(westernDigits('a1,٫²½')).toBe('a1,٫²½')
  })
})
