import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { translate } from '../shared/rules/wording.ts'

/** What must hold of every translation that ships. */

type Wording = Record<string, string>

const folder = new URL('./', import.meta.url)
const read = (code: string) =>
  JSON.parse(readFileSync(new URL(`${code}.json`, folder), 'utf8')) as Wording
const base = read('default')
const codes = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && name !== 'default.json')
  .map((name) => name.slice(0, -'.json'.length))

const SHIPPED = [
  'fr',
  'de',
  'es',
  'it',
  'pt',
  'nl',
  'sv',
  'da',
  'no',
  'fi',
  'pl',
  'cs',
  'sk',
].concat(['hu', 'ro', 'bg', 'el', 'tr', 'uk', 'ar', 'he', 'hi', 'ja', 'ko', 'zh'])

const PLURAL = /_(zero|one|two|few|many|other)$/
const counted = new Set(
  Object.keys(base)
    .filter((id) => id.endsWith('_other'))
    .map((id) => id.replace(PLURAL, '')),
)
const isForm = (id: string) => PLURAL.test(id) && counted.has(id.replace(PLURAL, ''))
const plain = (wording: Wording) => Object.keys(wording).filter((id) => !isForm(id))
const placeholders = (text: string) => (text.match(/\{[^}]*\}/g) ?? []).toSorted()

it('twenty-five languages ship beside English', () => {
  expect(codes.toSorted()).toEqual(SHIPPED.toSorted())
})

describe.each(codes)('the translation %s', (code) => {
  const wording = read(code)

  it('has every string, and no other', () => {
    expect(plain(wording).toSorted()).toEqual(plain(base).toSorted())
  })

  it('has just the plural forms of its language', () => {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions()
    for (const stem of counted) {
      const forms = Object.keys(wording).filter((id) => isForm(id) && id.startsWith(`${stem}_`))
      expect(forms.toSorted()).toEqual(pluralCategories.map((form) => `${stem}_${form}`).toSorted())
    }
  })

  it('uses the placeholders of the base wording, each as often', () => {
    for (const id of plain(wording)) {
      expect(placeholders(wording[id] ?? ''), id).toEqual(placeholders(base[id] ?? ''))
    }
    for (const id of Object.keys(wording).filter(isForm)) {
      const known = new Set(placeholders(base[id.replace(PLURAL, '_other')] ?? ''))
      expect(
        placeholders(wording[id] ?? '').filter((name) => !known.has(name)),
        id,
      ).toEqual([])
    }
  })

  it('says something everywhere, without HTML and without stray spaces', () => {
    for (const [id, text] of Object.entries(wording)) {
      expect(text, id).not.toBe('')
      expect(text, id).toBe(text.trim())
      expect(text, id).not.toMatch(/[<>]|\{\{|\}\}/)
    }
  })

  it('is a translation: most of it differs from English', () => {
    const same = plain(wording).filter((id) => wording[id] === base[id])
    expect(same.length).toBeLessThan(plain(base).length / 10)
  })

  it('counts every number in words of its own', () => {
    for (const stem of counted) {
      for (const count of [0, 1, 2, 3, 5, 11, 21, 100]) {
        const sentence = translate({ ...base, ...wording }, code, stem, { count })
        expect(
          Object.values(base).map((text) => text.replace('{count}', String(count))),
        ).not.toContain(sentence)
      }
    }
  })
})

it('French has a no-break space before double punctuation marks', () => {
  expect(Object.entries(read('fr')).filter(([, text]) => / [?:;!»]|« /.test(text))).toEqual([])
})
