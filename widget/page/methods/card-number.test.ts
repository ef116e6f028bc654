import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passesLuhn } from '../../../shared/rules/luhn.ts'
import { digitsOf, editCardNumber } from './card-number.ts'
import { cardNumberError } from './card-validation.ts'
import type { Edit } from '../form-field/grouped-text.ts'

/** Simulates typing in a field; `|` marks the caret before and after. */
function play(field: string, ...keys: string[]): string {
  let state: Edit = { text: field.replace('|', ''), caret: field.indexOf('|') }
  for (const key of keys) {
    const { text, caret } = state
    const back = key === 'Backspace' ? 1 : 0
    const forward = key === 'Delete'
    const typed = back || forward ? '' : key
    const left = text.slice(0, Math.max(caret - back, 0)) + typed
    const right = text.slice(caret + (forward ? 1 : 0))
    state = editCardNumber({ before: text, text: left + right, caret: left.length, forward })
  }
  return `${state.text.slice(0, state.caret)}|${state.text.slice(state.caret)}`
}

describe('the card number', () => {
  it.each([
    ['groups as it is typed', '|', Array.from('42424'), '4242 4|'],
    ['groups as the brand does', '|', Array.from('378282246310005'), '3782 822463 10005|'],
    ['keeps the caret in the middle', '4242 |4242', ['1'], '4242 1|424 2'],
    ['deletes in the middle', '4242 42|42', ['Backspace'], '4242 4|42'],
    [
      'deletes the digit before a space, not only the space',
      '4242 |4242',
      ['Backspace'],
      '424|4 242',
    ],
    ['deletes the digit after a space too', '4242| 4242', ['Delete'], '4242| 242'],
    ['takes what is pasted with dashes', '|', ['5555-5555-5555-4444'], '5555 5555 5555 4444|'],
    ['takes digits of other scripts', '|', ['٤٢٤٢٤'], '4242 4|'],
    ['drops letters without moving on', '42|', ['x'], '42|'],
    ['does not push the last digit out', '5555 |5555 5555 4444', ['1'], '5555| 5555 5555 4444'],
    ['cuts what is pasted too long', '|', ['5555555555554444999'], '5555 5555 5555 4444|'],
    ['empties', '4|', ['Backspace'], '|'],
  ])('%s', (_, field, keys, expected) => {
    expect(play(field, ...keys)).toBe(expected)
  })

  it('never loses or invents a digit, and keeps the caret beside the digit typed last', () => {
    const key = fc.constantFrom(...Array.from('0123456789'), 'Backspace', 'Delete')
    fc.assert(
      fc.property(fc.array(key, { maxLength: 16 }), (keys) => {
        const plain: string[] = []
        for (const typed of keys) {
          if (typed === 'Backspace') plain.pop()
          else if (typed !== 'Delete') plain.push(typed)
        }
        const shown = play('|', ...keys)
        fc.pre(plain.length <= 12)
        expect(digitsOf(shown)).toBe(plain.join(''))
        expect(shown.endsWith('|')).toBe(true)
      }),
    )
  })

  it('keeps the number of digits before the caret', () => {
    const digits = fc.stringMatching(/^4[0-9]{0,15}$/)
    fc.assert(
      fc.property(digits, fc.nat(), (text, place) => {
        const caret = place % (text.length + 1)
        const edit = editCardNumber({ before: '', text, caret, forward: false })
        expect(digitsOf(edit.text.slice(0, edit.caret))).toHaveLength(caret)
      }),
    )
  })
})

describe('the error of a card number', () => {
  it.each([
    ['', 'card.number_missing'],
    ['4242 4242', 'card.number_incomplete'],
    ['4242 4242 4242 4241', 'card.number_invalid'],
    ['4242 4242 4242 42424', 'card.number_incomplete'],
    ['4242 4242 4242 4242', null],
    ['3782 822463 10005', null],
    ['5555 5555 5555 4444', null],
  ])('%s is %s', (text, error) => {
    expect(cardNumberError(text)).toBe(error)
  })
})

it('the check digit detects every single wrong digit', () => {
  const slip = fc.tuple(fc.nat(15), fc.integer({ min: 1, max: 9 }))
  fc.assert(
    fc.property(slip, ([place, add]) => {
      const digits = Array.from('4242424242424242')
      digits[place] = String((Number(digits[place]) + add) % 10)
      expect(passesLuhn(digits.join(''))).toBe(false)
    }),
  )
})
