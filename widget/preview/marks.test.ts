import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { translate } from '../../shared/rules/wording.ts'
import { ALL_LANGUAGES, wordsOf } from '../gallery/localize.ts'
import { markStrings, readMarks, withoutMarks } from './marks.ts'

const IDS = Object.keys(wordsOf('default'))

describe('a marked sentence', () => {
  it.each(ALL_LANGUAGES)('is the same without its marks, in %s', (language) => {
    const strings = wordsOf(language)
    const marked = markStrings(strings, IDS)
    // A language without a plural form has no sentence for it.
    for (const id of IDS.filter((each) => strings[each] !== undefined)) {
      const text = translate(strings, language, id, { merchant: 'Nord', amount: '€1', name: 'x' })
      const drawn = translate(marked, language, id, { merchant: 'Nord', amount: '€1', name: 'x' })
      expect(readMarks(drawn, IDS), id).toEqual({
        text,
        sentences: text === '' ? [] : [{ id, from: 0, to: text.length }],
      })
    }
  })

  it('is found within another sentence', () => {
    const marked = markStrings({ a: 'Pay with {name}', b: 'a card' }, ['a', 'b'])
    const text = translate(marked, 'en', 'a', { name: marked['b'] ?? '' })
    expect(readMarks(text, ['a', 'b'])).toEqual({
      text: 'Pay with a card',
      sentences: [
        { id: 'a', from: 0, to: 15 },
        { id: 'b', from: 9, to: 15 },
      ],
    })
  })

  it('is found in any text around it, and leaves no mark behind', () => {
    const plain = fc.string({ unit: 'grapheme' }).map(withoutMarks)
    fc.assert(
      fc.property(plain, plain, plain, (before, sentence, after) => {
        fc.pre(sentence !== '')
        const { a = '' } = markStrings({ a: sentence }, ['a'])
        const { text, sentences } = readMarks(before + a + after, ['a'])
        expect(text).toBe(before + sentence + after)
        const from = before.length
        expect(sentences).toEqual([{ id: 'a', from, to: from + sentence.length }])
      }),
    )
  })

  it('that is empty has no marks, since it shows nothing', () => {
    expect(markStrings({ a: '' }, ['a'])).toEqual({ a: '' })
  })
})
