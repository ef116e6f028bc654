import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkJsonSize } from './json-size.ts'

const UNSAFE = '9007199254740993'

function errorOf(json: string): string {
  try {
    checkJsonSize(json, 10_000)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('a number that would change its value', () => {
  it.each([
    [UNSAFE, 'body'],
    [`[1,${UNSAFE}]`, '1'],
    [`{"payment_link":{"state":{"x":[{},1,[],{"y":${UNSAFE}}]}}}`, 'payment_link.state.x.3.y'],
    [`{"a":["b",{"c":"d"}],"e":[[1],[2,${UNSAFE}]]}`, 'e.1.1'],
    [`{"a":{"b":1,"c":"x"},"d" : ${UNSAFE}}`, 'd'],
    [`{"a\\"b":{"\\u0063":${UNSAFE}}}`, 'a"b.c'],
    [`{"4242 4242 4242 4242":${UNSAFE}}`, '[card number]'],
    [`{"${'k'.repeat(100)}":${UNSAFE}}`, `${'k'.repeat(64)}…`],
  ])('in %s is reported with its full path', (json, path) => {
    expect(errorOf(json)).toBe(
      `${path} exceeds the precision of a JSON number; send it as a string`,
    )
  })

  it('is reported with its full path at any position', () => {
    const key = fc.stringMatching(/^[a-z]{1,5}$/)
    const step = fc.oneof(key, fc.nat({ max: 4 }))
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 10 }), fc.json(), (path, other) => {
        const json = path.reduceRight<string>(
          (inner, at) =>
            typeof at === 'number'
              ? `[${[...Array.from({ length: at }, () => other), inner].join(',')}]`
              : `{"_":${other},"${at}":${inner}}`,
          UNSAFE,
        )
        expect(errorOf(json)).toContain(`${path.join('.')} exceeds the precision`)
      }),
    )
  })

  it('is not found in text that is not JSON', () => {
    for (const json of ['{', '[', ']', '{"a"', `{${UNSAFE}`]) {
      expect(errorOf(json)).not.toContain('exceeds the precision')
    }
  })
})
