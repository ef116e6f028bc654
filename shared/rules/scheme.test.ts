import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conditionIn, colorSchemeOf } from './scheme.ts'

describe('the color scheme of an embedded page', () => {
  it.each([
    ['normal', 'light'],
    ['', 'light'],
    ['light', 'light'],
    ['only light', 'light'],
    ['dark', 'dark'],
    ['only dark', 'dark'],
    ['light dark', ''],
    ['dark light', ''],
  ])('is for the host’s %j: %j', (declared, scheme) => {
    expect(colorSchemeOf(declared)).toBe(scheme)
  })
})

describe('a media condition on the color scheme', () => {
  const DARK = '(prefers-color-scheme: dark)'

  it('is constant for a fixed scheme', () => {
    expect(conditionIn('dark', DARK)).toBe(`${DARK}, (min-width: 0px)`)
    expect(conditionIn('light', DARK)).toBe(`${DARK} and (max-width: -1px)`)
    expect(conditionIn('light', '(prefers-color-scheme:light)')).toContain('(min-width: 0px)')
  })

  it('is restored when the system decides, after any other scheme', () => {
    const scheme = fc.constantFrom('light', 'dark', '')
    fc.assert(
      fc.property(fc.array(scheme), (schemes) => {
        const changed = schemes.reduce((text, next) => conditionIn(next, text), DARK)
        return conditionIn('', changed) === DARK
      }),
    )
  })

  it('is unchanged for another media feature', () => {
    expect(conditionIn('dark', '(min-width: 60rem)')).toBe('(min-width: 60rem)')
  })
})
