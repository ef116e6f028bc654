import { expect, it } from 'vitest'
import { translate } from '../../shared/rules/wording.ts'
import { defaultStrings } from '../strings/bundle.ts'
import { DEFAULT_CATALOG } from '../strings/default-catalog.ts'
import { createTranslator, type StringId } from './translator.ts'

const languages = Object.keys(DEFAULT_CATALOG)
const ids = Object.keys(DEFAULT_CATALOG['default'] ?? {}) as StringId[]

it.each(languages)('reads the catalog in %s as the payer’s page does', (language) => {
  const { t } = createTranslator(language)
  const strings = defaultStrings(language)
  for (const id of ids) {
    const names = (strings[id] ?? '').matchAll(/\{([a-z_]+)\}/g)
    const values = Object.fromEntries(Array.from(names, ([, name = '']) => [name, `«${name}»`]))
    expect(t(id, values), id).toBe(translate(strings, language, id, values))
  }
})

it.each([
  ['ar', 'ar', 'rtl'],
  ['he', 'he', 'rtl'],
  ['pt', 'pt-PT', 'ltr'],
  ['default', 'en', 'ltr'],
])('gives the tag and direction of %s', (code, language, direction) => {
  expect(createTranslator(code)).toMatchObject({ language, direction })
})

it.each(['$t(sign_in.title)', '{time}', '{{time}}', '<b>&"', '$&', '$1'])(
  'inserts the value %s as it is',
  (client) => {
    const { t } = createTranslator('default')
    expect(t('sign_in.for_client', { client })).toContain(client)
  },
)

it('falls back to English for a language without translations', () => {
  expect(createTranslator('xx').t('sign_in.title')).toBe('Sign in')
})
