import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editExpiry } from './card-expiry.ts'
import { parseExpiry } from './card-validation.ts'

function typed(keys: string[], start = ''): string {
  let text = start
  for (const key of keys) {
    const next = key === 'Backspace' ? text.slice(0, -1) : text + key
    text = editExpiry({ before: text, text: next, caret: next.length, forward: false }).text
  }
  return text
}

describe('the expiry date', () => {
  it.each([
    ['separates by itself', Array.from('1228'), '12 / 28'],
    ['knows that a month cannot begin with 4', Array.from('428'), '04 / 28'],
    ['takes a typed separator after one digit', Array.from('1/28'), '01 / 28'],
    ['takes a typed separator after two digits', Array.from('12/28'), '12 / 28'],
    ['stops at four digits', Array.from('12289'), '12 / 28'],
    ['takes what browsers fill in', ['12/2028'], '12 / 28'],
    ['takes what browsers fill in without a slash', ['122028'], '12 / 28'],
    ['takes a month of a calendar', ['2028-03'], '03 / 28'],
    ['takes a short month', ['3/2028'], '03 / 28'],
    ['takes digits of other scripts', Array.from('١٢٢٨'), '12 / 28'],
  ])('%s', (_, keys, expected) => {
    expect(typed(keys)).toBe(expected)
  })

  it.each(['12/31', '1/31', '9/30', '0331', '03 / 31'])(
    'replaces a date by %s at once',
    (filled) => {
      const edit = { before: '12 / 34', text: filled, caret: filled.length, forward: false }
      const digits = filled.replace(/\D/g, '').padStart(4, '0')
      expect(editExpiry(edit).text).toBe(`${digits.slice(0, 2)} / ${digits.slice(2)}`)
    },
  )

  it('can be emptied with Backspace, key by key', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,4}$/), (digits) => {
        const full = typed(Array.from(digits))
        expect(typed(Array<string>(8).fill('Backspace'), full)).toBe('')
      }),
    )
  })

  it('keeps the caret after an inserted digit', () => {
    const edit = editExpiry({ before: '1 ', text: '12', caret: 2, forward: false })
    expect(edit).toEqual({ text: '12 / ', caret: 5 })
  })
})

describe('its validation', () => {
  const now = Date.parse('2031-03-31T20:00:00.000Z')
  it.each([
    ['', 'card.expiry_missing'],
    ['12', 'card.expiry_incomplete'],
    ['13 / 33', 'card.expiry_month'],
    ['00 / 33', 'card.expiry_month'],
    ['02 / 31', 'card.expiry_past'],
    ['01 / 62', 'card.expiry_far'],
  ])('"%s" is %s', (text, error) => {
    expect(parseExpiry(text, now)).toEqual({ error })
  })

  it('accepts a card until its last month has ended in every time zone', () => {
    expect(parseExpiry('03 / 31', now)).toEqual({ month: 3, year: 2031 })
    expect(parseExpiry('03 / 31', Date.parse('2031-04-01T11:59:59Z'))).toHaveProperty('month', 3)
    expect(parseExpiry('03 / 31', Date.parse('2031-04-01T12:00:00Z'))).toHaveProperty('error')
  })
})
