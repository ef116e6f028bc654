import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import i18next, { type i18n } from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { intlLanguage, type Strings, type StringValues, translate } from './wording.ts'

/** Compares our function with i18next, whose rules it follows, over the catalog. */

const CATALOGUE = JSON.parse(
  readFileSync(new URL('../../locales/default.json', import.meta.url), 'utf8'),
) as Strings
const IDS = Object.keys(CATALOGUE)

async function reference(language: string, strings: Strings): Promise<i18n> {
  const instance = i18next.createInstance()
  await instance.init({
    lng: intlLanguage(language),
    resources: { [intlLanguage(language)]: { translation: strings } },
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    showSupportNotice: false,
  } as Parameters<i18n['init']>[0])
  return instance
}

const placeholders = (text: string) =>
  [...text.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '')

// Names of shops and people, with characters that template languages interpret.
const textValue = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    '$&',
    '$1',
    '$$',
    '{amount}',
    '{{name}}',
    '$t(checkout.pay)',
    '<b>&"',
    '__proto__',
  ),
)
const count = fc.oneof(
  fc.integer({ min: 0, max: 205 }),
  fc.constantFrom(0, 1, 2, 1.5, 0.1, 100, 1000, 1_000_000, -1),
)

function valuesFor(names: readonly string[]): fc.Arbitrary<StringValues> {
  const members = Object.fromEntries(
    names.map((name) => [name, name === 'count' ? count : fc.oneof(textValue, fc.integer())]),
  )
  return fc.record<Record<string, string | number>>(members)
}

describe('the catalog', () => {
  let library: i18n
  beforeAll(async () => {
    library = await reference('default', CATALOGUE)
  })

  it('has strings to compare', () => {
    expect(IDS.length).toBeGreaterThan(50)
  })

  it.each(IDS)('%s renders like i18next for any values', (id) => {
    const names = new Set(placeholders(CATALOGUE[id] ?? ''))
    fc.assert(
      fc.property(valuesFor([...names]), (values) => {
        expect(translate(CATALOGUE, 'default', id, values)).toBe(library.t(id, { ...values }))
      }),
      { numRuns: 25 },
    )
  })

  // A plural has the form `other`, unlike an id that only ends in "_zero".
  const counted = IDS.filter((id) => id.endsWith('_other')).map((id) => id.replace(/_other$/, ''))

  it.each(counted)('%s has the plural form of i18next', (id) => {
    fc.assert(
      fc.property(count, (many) => {
        const ours = translate(CATALOGUE, 'default', id, { count: many })
        expect(ours).toBe(library.t(id, { count: many }))
        expect(ours).not.toBe(id)
      }),
    )
  })
})

describe('every translation', () => {
  const folder = new URL('../../locales/', import.meta.url)
  const codes = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))

  it.each(codes)('%s renders like i18next', async (code) => {
    const strings = JSON.parse(readFileSync(new URL(`${code}.json`, folder), 'utf8')) as Strings
    const library = await reference(code, strings)
    for (const id of Object.keys(strings)) {
      const names = new Set(placeholders(strings[id] ?? ''))
      const values = Object.fromEntries([...names].map((name) => [name, `«${name}»`]))
      expect(translate(strings, code, id, values), id).toBe(library.t(id, values))
    }
    for (const stem of Object.keys(strings).filter((id) => id.endsWith('_other'))) {
      const id = stem.replace(/_other$/, '')
      for (const many of [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000]) {
        const written = translate(strings, code, id, { count: many })
        // i18next has a form `zero` in every language; CLDR does not.
        if (many > 0) expect(written).toBe(library.t(id, { count: many }))
      }
    }
  })
})

describe('plural forms', () => {
  // Languages with different categories; each string names its category.
  it.each(['pl', 'ar', 'cs', 'uk', 'en', 'ja', 'lt', 'cy', 'fr'])(
    'of %s are chosen as i18next chooses them',
    async (language) => {
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
      const strings: Strings = Object.fromEntries(
        pluralCategories.map((category) => [`made.up_${category}`, `${category}: {count}`]),
      )
      const library = await reference(language, strings)
      fc.assert(
        fc.property(count, (many) => {
          const ours = translate(strings, language, 'made.up', { count: many })
          expect(ours).toBe(library.t('made.up', { count: many }))
          expect(ours).toMatch(/^(zero|one|two|few|many|other): /)
        }),
      )
    },
  )

  it.each([
    ['pl', 1, 'one'],
    ['pl', 3, 'few'],
    ['pl', 5, 'many'],
    ['pl', 1.5, 'other'],
    ['ar', 0, 'zero'],
    ['ar', 2, 'two'],
    ['ar', 7, 'few'],
    ['ar', 42, 'many'],
    ['ar', 100, 'other'],
    ['uk', 21, 'one'],
    ['uk', 11, 'many'],
    ['default', 1, 'one'],
    ['default', 0, 'other'],
  ])('of %s for %d is %s', (language, many, category) => {
    const strings = { a_zero: 'zero', a_one: 'one', a_two: 'two', a_few: 'few', a_many: 'many' }
    const all = { ...strings, a_other: 'other' }
    expect(translate(all, language, 'a', { count: many })).toBe(category)
  })

  it('falls back to the form `other`', () => {
    expect(translate({ a_other: '{count} things' }, 'pl', 'a', { count: 3 })).toBe('3 things')
  })

  it('uses the string itself without plural forms', () => {
    expect(translate({ a: '{count} in all' }, 'pl', 'a', { count: 3 })).toBe('3 in all')
  })

  it('is not selected by a count that is text', () => {
    const strings = { a: 'plain {count}', a_one: 'one', a_other: 'other' }
    expect(translate(strings, 'en', 'a', { count: '1' })).toBe('plain 1')
  })
})

describe('placeholders', () => {
  it('insert a value unchanged', () => {
    fc.assert(
      fc.property(textValue, (name) => {
        const text = translate({ a: 'Pay {name}, {name}!' }, 'en', 'a', { name })
        expect(text).toBe(`Pay ${name}, ${name}!`)
      }),
    )
  })

  it('stay visible without a value', () => {
    expect(translate({ a: 'Pay {amount}' }, 'en', 'a')).toBe('Pay {amount}')
  })

  it.each(['constructor', 'to_string', '__proto__', 'valueof'])(
    'take no value that an object merely inherits: {%s}',
    (name) => {
      expect(translate({ a: `{${name}}` }, 'en', 'a', { amount: '1' })).toBe(`{${name}}`)
    },
  )
})

it('returns the id if there is no string', () => {
  expect(translate({}, 'en', 'checkout.unknown', { count: 2 })).toBe('checkout.unknown')
})
