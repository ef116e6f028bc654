import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldKey } from './fold-key.ts'

// Letters whose two cases do not mirror each other, accents that join them, and plain ones.
const LETTERS = ['a', 'A', 'i', 'I', 'ı', 'İ', 'h', 'H', 'é', 'É', 'σ', 'ς', 'Σ', 'ß', 'ẞ', 'K']
const ACCENTS = ['\u0301', '\u0307', '\u0323', '\u0331']
const odd = fc.string({ unit: fc.constantFrom(...LETTERS, ...ACCENTS), maxLength: 6 })
const key = fc.string({ unit: 'binary', minLength: 1, maxLength: 255 })

/** A text without its case, as criteria compare it. */
function caseless(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')
}

describe('the folded key of a text', () => {
  it.each([
    ['Élodie', 'ÉLODIE'],
    ['e\u0301', 'É'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['İzmir', 'IZMIR'],
    ['İzmir', 'I\u0307zmir'],
    ['İ\u0331zmir', 'i\u0331\u0307zmir'],
    ['H\u0331', '\u1e96'],
    ['STRAẞE', 'straße'],
    ['\u212a', 'k'],
  ])('is the same for %s and %s', (one, other) => {
    expect(foldKey(one)).toBe(foldKey(other))
  })

  it.each([
    ['straße', 'strasse'],
    ['ı', 'i'],
    ['a ', 'a'],
    ['e', 'é'],
    ['z', 'ż'],
  ])('differs for %s and %s', (one, other) => {
    expect(foldKey(one)).not.toBe(foldKey(other))
  })

  it('is the same for any two texts that differ only in case', () => {
    const pair = fc.oneof(
      fc.tuple(odd, odd),
      odd.map((text): [string, string] => [text, caseless(text)]),
    )
    fc.assert(
      fc.property(pair, ([one, other]) => {
        if (caseless(one) === caseless(other)) expect(foldKey(one)).toBe(foldKey(other))
      }),
      { numRuns: 5000 },
    )
  })

  it('contains the whole key and fits into an index', () => {
    fc.assert(
      fc.property(key, key, (one, other) => {
        const longer = foldKey(`${one}${other}${one}`)
        expect(Buffer.byteLength(longer)).toBeLessThan(2400)
        expect(foldKey(one).length).toBeLessThanOrEqual(765)
        expect(longer.isWellFormed()).toBe(true)
      }),
    )
    const longest = '\u{1d160}'.repeat(127)
    expect(foldKey(`${longest}a`)).not.toBe(foldKey(`${longest}b`))
    expect(foldKey('x'.repeat(10_000))).toHaveLength(765)
  })
})
