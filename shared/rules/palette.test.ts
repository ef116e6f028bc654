import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, textColorOn, mix, readableOn } from './color.ts'
import { paletteOf, schemesOf, type Theme } from './palette.ts'

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((bits) => `#${bits.toString(16).padStart(6, '0')}`)
const theme: fc.Arbitrary<Theme> = fc.record(
  { accent: color, surface: color, text: color },
  { requiredKeys: [] },
)

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4],
  ])('of %s and %s is %d', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2)
    expect(contrast(other, one)).toBeCloseTo(ratio, 2)
  })

  it('of the chosen ink is at least 4.5 on every color', () => {
    fc.assert(
      fc.property(color, (back) => {
        expect(contrast(textColorOn(back), back)).toBeGreaterThan(4.5)
      }),
    )
  })

  it('keeps a readable color', () => {
    expect(readableOn(['#ffffff'], '#0b6b4f')).toBe('#0b6b4f')
  })

  it('changes an unreadable color as little as needed', () => {
    const moved = readableOn(['#ffffff'], '#ffcc00')
    expect(contrast(moved, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(moved, '#ffffff')).toBeLessThan(5)
  })

  it('mixes channel by channel', () => {
    expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080')
    expect(mix('#102030', '#102030', 0.7)).toBe('#102030')
  })
})

describe('the palette of any theme', () => {
  it('keeps every text readable', () => {
    fc.assert(
      fc.property(theme, (input) => {
        for (const scheme of schemesOf(input)) {
          const the = paletteOf(input, scheme)
          const pairs: string[][] = [
            ...['surface', 'ground', 'raised'].flatMap((back) => [
              ['text', back],
              ['muted', back],
              ['accent', back],
            ]),
            ['accent-text', 'fill'],
            ['accent-text', 'accent-strong'],
            ...['problem', 'news', 'test'].flatMap((name) => [[name, `${name}-tint`]]),
            ['problem', 'surface'],
          ]
          for (const [ink = '', back = ''] of pairs) {
            const ratio = contrast(the[ink] ?? '', the[back] ?? '')
            expect(ratio, `${ink} on ${back} in ${scheme}`).toBeGreaterThanOrEqual(4.5)
          }
          const border = contrast(the['control'] ?? '', the['surface'] ?? '')
          expect(border).toBeGreaterThanOrEqual(3)
          const shape = contrast(the['fill'] ?? '', the['surface'] ?? '')
          expect(shape).toBeGreaterThanOrEqual(1.3)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('has one scheme with a surface color, otherwise light and dark', () => {
    expect(schemesOf({ accent: '#ff0000' })).toEqual(['light', 'dark'])
    expect(schemesOf({ surface: '#fff8ee' })).toEqual(['light'])
    expect(schemesOf({ surface: '#101418' })).toEqual(['dark'])
  })

  it('fills the button with the merchant’s color and a readable text', () => {
    const { fill, 'accent-text': ink, accent } = paletteOf({ accent: '#ffcc00' }, 'light')
    expect([fill, ink]).toEqual(['#ffcc00', '#000000'])
    expect(accent).not.toBe('#ffcc00')
    expect(paletteOf({ accent: '#171d1a' }, 'dark')['fill']).not.toBe('#171d1a')
  })

  it('keeps a readable accent', () => {
    expect(paletteOf({ accent: '#7a1fa2' }, 'light')['accent']).toBe('#7a1fa2')
    expect(paletteOf({ accent: '#7a1fa2' }, 'dark')['accent']).not.toBe('#7a1fa2')
  })
})
