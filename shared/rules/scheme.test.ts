import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conditionIn, schemeAround } from './scheme.ts'

describe('the scheme of a page inside another one', () => {
  it.each([
    ['normal', 'light'],
    ['', 'light'],
    ['light', 'light'],
    ['only light', 'light'],
    ['dark', 'dark'],
    ['only dark', 'dark'],
    ['light dark', ''],
    ['dark light', ''],
  ])('%j around it makes it %j', (declared, scheme) => {
    expect(schemeAround(declared)).toBe(scheme)
  })
})

describe('a condition that asks for the scheme', () => {
  const DARK = '(prefers-color-scheme: dark)'

  it('holds always or never once the scheme is given', () => {
    expect(conditionIn('dark', DARK)).toBe(`${DARK}, (min-width: 0px)`)
    expect(conditionIn('light', DARK)).toBe(`${DARK} and (max-width: -1px)`)
    expect(conditionIn('light', '(prefers-color-scheme:light)')).toContain('(min-width: 0px)')
  })

  it('is itself again where the system decides, whatever was given before', () => {
    const scheme = fc.constantFrom('light', 'dark', '')
    fc.assert(
      fc.property(fc.array(scheme), (schemes) => {
        const changed = schemes.reduce((text, next) => conditionIn(next, text), DARK)
        return conditionIn('', changed) === DARK
      }),
    )
  })

  it('is left alone when it asks for something else', () => {
    expect(conditionIn('dark', '(min-width: 60rem)')).toBe('(min-width: 60rem)')
  })
})
