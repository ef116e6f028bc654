import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors.ts'
import { type Condition, parseCriteria } from './parse.ts'
import { printCriteria } from '../../test/criteria/print-criteria.ts'

describe('what a text of criteria says', () => {
  it.each<[text: string, conditions: Condition[]]>([
    ['', []],
    ['  ', []],
    ['name=Ada', [{ field: 'name', operator: '=', values: ['Ada'] }]],
    ['name=a;b', [{ field: 'name', operator: '=', values: ['a', 'b'] }]],
    ['name!=a;b', [{ field: 'name', operator: '!=', values: ['a', 'b'] }]],
    ['name~=a', [{ field: 'name', operator: '~=', value: 'a' }]],
    ['due>=1', [{ field: 'due', operator: '>=', value: '1' }]],
    ['due<=1', [{ field: 'due', operator: '<=', value: '1' }]],
    ['due>1', [{ field: 'due', operator: '>', value: '1' }]],
    ['due<1', [{ field: 'due', operator: '<', value: '1' }]],
    ['due<>1;2', [{ field: 'due', operator: '<>', min: '1', max: '2' }]],
    ['due!', [{ field: 'due', operator: '!' }]],
    ['due!!', [{ field: 'due', operator: '!!' }]],
    ['!due', [{ field: 'due', operator: '!' }]],
    ['!!due', [{ field: 'due', operator: '!!' }]],
    ['alt_key=a=b', [{ field: 'alt_key', operator: '=', values: ['a=b'] }]],
    ['alt_key==b', [{ field: 'alt_key', operator: '=', values: ['=b'] }]],
    ['alt_key=!', [{ field: 'alt_key', operator: '=', values: ['!'] }]],
    ['due<=>1', [{ field: 'due', operator: '<=', value: '>1' }]],
    ['name=line\nfeed', [{ field: 'name', operator: '=', values: ['line\nfeed'] }]],
    [String.raw`name=a\,b\;c\\`, [{ field: 'name', operator: '=', values: ['a,b;c\\'] }]],
    [String.raw`name>=a\;b`, [{ field: 'name', operator: '>=', value: 'a;b' }]],
    [
      ' name= two  words , due! ',
      [
        { field: 'name', operator: '=', values: [' two  words'] },
        { field: 'due', operator: '!' },
      ],
    ],
  ])('%j', (text, conditions) => {
    expect(parseCriteria(text)).toEqual(conditions)
  })

  const value = fc
    .oneof(fc.string({ minLength: 1, unit: 'grapheme' }), fc.stringMatching(/^[,;\\=!<>~%a ]+$/))
    .filter((text) => text === text.trimEnd() && !text.includes('\0'))
  const field = fc.stringMatching(/^[a-z_]+$/)
  const condition = fc.oneof(
    fc.record({ field, operator: fc.constantFrom('!', '!!') }),
    fc.record({
      field,
      operator: fc.constantFrom('=', '!='),
      values: fc.array(value, { minLength: 1, maxLength: 4 }),
    }),
    fc
      .record({ field, operator: fc.constantFrom('~=', '>=', '<=', '>', '<'), value })
      // What begins like the rest of a longer operator is read as one: `a<` and `=b` as `a<=b`.
      .filter(({ operator, value: text }) => operator.length > 1 || !/^[=>]/.test(text)),
    fc.record({ field, operator: fc.constant('<>'), min: value, max: value }),
  ) as fc.Arbitrary<Condition>

  it('is the same after it was written out and read again', () => {
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 50 }), (conditions) => {
        expect(parseCriteria(printCriteria(conditions))).toEqual(conditions)
      }),
    )
  })

  it('is either understood or refused, whatever it is', () => {
    const noise = fc.stringMatching(/^[a-c!=~<>,;\\ .0]*$/)
    fc.assert(
      fc.property(fc.oneof(noise, fc.string({ unit: 'binary' })), (text) => {
        try {
          const conditions = parseCriteria(text)
          expect(parseCriteria(printCriteria(conditions))).toEqual(conditions)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      }),
    )
  })
})

describe('a text that is refused', () => {
  const many = (count: number, text: string, by: string) => Array(count).fill(text).join(by)

  it.each([
    ['a=1,,b=2', 'criteria has an empty condition'],
    ['a=1,', 'criteria has an empty condition'],
    [',', 'criteria has an empty condition'],
    ['phone=', 'criteria phone has an empty value: use phone! for null'],
    ['phone!=', 'criteria phone has an empty value'],
    ['phone~=', 'criteria phone has an empty value'],
    ['phone=a;', 'criteria phone has an empty value'],
    ['phone=;a', 'criteria phone has an empty value'],
    ['phone= ', 'criteria phone has an empty value'],
    ['due<>1', 'criteria due<> needs two values: due<>lowest;highest'],
    ['due<>1;2;3', 'criteria due<> needs two values'],
    ['due<>;2', 'criteria due has an empty value'],
    ['due>1;2', String.raw`criteria due> takes one value; a semicolon in it is \;`],
    ['name~=a;b', 'criteria name~= takes one value'],
    ['due!x', 'criteria due! takes no value'],
    ['due!!=x', 'criteria due!! takes no value'],
    ['!due=1', 'criteria must be conditions such as'],
    ['due', 'criteria must be conditions such as email=ada@example.com, not due'],
    ['due ~ 5', 'criteria must be conditions such as'],
    ['=5', 'criteria must be conditions such as'],
    [String.raw`name=a\b`, 'criteria name has a backslash that does not escape'],
    ['name=a\\', 'criteria name has a backslash that does not escape'],
    ['name=a\0b', 'criteria must not contain the character NUL'],
  ])('%j', (text, message) => {
    expect(() => parseCriteria(text)).toThrow(ApiError)
    expect(() => parseCriteria(text)).toThrow(message)
  })

  it('is one that asks for more than a list may', () => {
    const refused = (text: string) => expect(() => parseCriteria(text))
    refused(many(51, 'a!', ',')).toThrow('criteria must have at most 50 conditions')
    refused(`a=${many(150, 'x', ';')},b!=${many(51, 'x', ';')}`).toThrow(
      'criteria must have at most 200 values',
    )
    refused(many(6, 'a~=x', ',')).toThrow('criteria must have at most 5 conditions with ~=')
    expect(parseCriteria(many(5, 'a~=x', ','))).toHaveLength(5)
    refused(`a=${'x'.repeat(15_999)}`).toThrow('criteria must be at most 16000 characters')
  })

  it('is shown in its beginning only', () => {
    expect(() => parseCriteria('?'.repeat(999))).toThrow(new RegExp(String.raw`not \?{60}…$`))
  })

  it('is not one at the very limits', () => {
    expect(parseCriteria(many(50, 'a!', ','))).toHaveLength(50)
    expect(parseCriteria(`a=${many(200, 'x', ';')}`)).toMatchObject([{ values: { length: 200 } }])
    expect(parseCriteria(`a=${'x'.repeat(15_998)}`)).toHaveLength(1)
  })
})
