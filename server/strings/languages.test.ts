import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseLanguage } from './languages.ts'

const offered = ['default', 'fr', 'de', 'no', 'zh', 'he']

describe('the language of a payer', () => {
  it.each([
    ['fr-CH', 'fr'],
    ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
    ['nb-NO', 'no'],
    ['nn', 'no'],
    ['zh-Hant-TW', 'zh'],
    ['en-GB', 'default'],
    ['en-GB,fr;q=0.9', 'default'],
    ['it,de;q=0.4,fr;q=0.7', 'fr'],
    ['DE_de', 'de'],
    ['fr;q=0,de', 'de'],
    ['*', 'default'],
    ['', 'default'],
    ['xx-YY,q', 'default'],
    ['fil', 'default'],
  ])('for Accept-Language %j is %s', (accepted, expected) => {
    expect(chooseLanguage({ accepted }, offered)).toBe(expected)
  })

  it('is that of the URL, else of the account, else of the browser', () => {
    const wishes = { requested: 'de-AT', account: 'he-IL', accepted: 'fr' }
    expect(chooseLanguage(wishes, offered)).toBe('de')
    expect(chooseLanguage({ ...wishes, requested: undefined }, offered)).toBe('he')
    expect(chooseLanguage({ accepted: 'fr' }, offered)).toBe('fr')
    expect(chooseLanguage({ ...wishes, requested: 'ja', account: 'en_US' }, offered)).toBe(
      'default',
    )
  })

  it('is the merchant’s own English if it exists', () => {
    expect(chooseLanguage({ accepted: 'en-US' }, [...offered, 'en'])).toBe('en')
    expect(chooseLanguage({ accepted: 'nb' }, ['default', 'nb', 'no'])).toBe('nb')
  })

  it('is always an offered one', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (asked, accepted) => {
        expect(offered).toContain(chooseLanguage({ requested: asked, accepted }, offered))
      }),
    )
  })
})
