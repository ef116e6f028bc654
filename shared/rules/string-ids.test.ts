import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formsOf, sampleCounts, stringStem } from './string-ids.ts'

const BASE = { 'checkout.pay': 'Pay', 'checkout.trial_one': 'a', 'checkout.trial_other': 'b' }

describe('a counted string', () => {
  it('has one id for each plural form of a language', () => {
    const ids = (language: string) =>
      formsOf(BASE, 'checkout.trial_other', language).map(({ id }) => id.split('_')[1])
    expect(ids('ja')).toEqual(['other'])
    expect(ids('default')).toEqual(['one', 'other'])
    expect(ids('pl')).toEqual(['one', 'few', 'many', 'other'])
    expect(formsOf(BASE, 'checkout.pay', 'pl')).toEqual([{ id: 'checkout.pay', form: undefined }])
  })

  it('shares the id without its form, which another string keeps', () => {
    expect(stringStem(BASE, 'checkout.trial_few')).toBe('checkout.trial')
    expect(stringStem(BASE, 'checkout.pay')).toBe('checkout.pay')
    expect(stringStem(BASE, 'consent.one_other')).toBe('consent.one_other')
  })

  it('shows counts that have its form, and for each form of whole numbers some', () => {
    fc.assert(
      fc.property(fc.constantFrom('en', 'pl', 'ar', 'fr', 'ja', 'cs', 'he'), (language) => {
        const rules = new Intl.PluralRules(language)
        for (const form of new Set(
          [0, 1, 2, 3, 5, 11, 100, 1_000_000].map((n) => rules.select(n)),
        )) {
          const counts = sampleCounts(language, form)
          expect(counts.length).toBeGreaterThan(0)
          expect(counts.map((count) => rules.select(count))).toEqual(counts.map(() => form))
        }
      }),
    )
  })
})
