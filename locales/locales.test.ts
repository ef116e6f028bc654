import { readFileSync, readdirSync } from 'node:fs'
import { EVENT_TYPES } from '../server/events/event-types.ts'
import { AUDIT_ACTIONS } from '../shared/rules/audit-actions.ts'
import { DECLINE_MESSAGES } from '../server/payments/outcome.ts'
import { canBeOverridden, isOnPage, stringStem } from '../shared/rules/string-ids.ts'
import { model } from '../widget/scenes/models.ts'
import { renderCheckout } from '../widget/page/render.tsx'
import { describe, expect, it } from 'vitest'
import base from './default.json' with { type: 'json' }
import notes from './notes/en.json' with { type: 'json' }

const ROOT = new URL('../', import.meta.url)
const SETS = ['checkout', 'details', 'methods', 'card', 'consent', 'receipt']
  .concat(['errors', 'status', 'tasks', 'email', 'a11y', 'sign_in', 'authorize'])
  .join('|')
const ID = new RegExp(`['"]((?:${SETS})\\.[a-z0-9_]+)['"]`, 'g')

/** Why a payment was declined, which the page says in whatever words it is sent. */
const REASONS = [...Object.values(DECLINE_MESSAGES), 'errors.processor_error']

function sources(folder: string, ending: RegExp): [name: string, text: string][] {
  const url = new URL(folder, ROOT)
  return readdirSync(url, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => [`${folder}${name}`, readFileSync(new URL(name, url), 'utf8')])
}

const ids = Object.keys(base)
const stem = (id: string) => id.replace(/_(zero|one|two|few|many|other)$/, '')
/** A few kinds of events and of acts begin as a set of wording does. */
const otherNames: readonly string[] = [...EVENT_TYPES, ...AUDIT_ACTIONS]
const used = ['widget/', 'server/', 'shared/rules/']
  .flatMap((folder) => sources(folder, /\.tsx?$/))
  .flatMap(([name, text]) => [...text.matchAll(ID)].map(([, id]) => ({ name, id: id ?? '' })))
  .filter(({ id }) => ids.includes(id) || !otherNames.includes(id))

/** What the server puts in the place of the sentences about an unavailable link. */
const ON_DEEP_LINKS = ['status.exhausted', 'status.exhausted_title']

/** Made from the types of payment methods. */
const METHOD_NAMES = [
  'bancontact',
  'bank_transfer',
  'card',
  'direct_debit',
  'eps',
  'ideal',
  'przelewy',
].map((type) => `methods.${type}`)

describe('the base wording', () => {
  it('has words for every id that the source uses', () => {
    const known = new Set([...ids, ...ids.map(stem)])
    expect(used.length).toBeGreaterThan(100)
    expect(used.filter(({ id }) => !known.has(id))).toEqual([])
  })

  it('says of every sentence of a merchant what it is for', () => {
    const stems = new Set(ids.filter(canBeOverridden).map((id) => stringStem(base, id)))
    expect(Object.keys(notes).toSorted()).toEqual([...stems].toSorted())
  })

  it('has words for every reason of a decline', () => {
    expect(REASONS.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('has no id that nothing uses', () => {
    const asked = new Set([...used.map(({ id }) => id), ...REASONS, ...METHOD_NAMES])
    expect(ids.filter((id) => !asked.has(id) && !asked.has(stem(id)))).toEqual([])
  })

  it('names every plural form that English has', () => {
    const plural = ids.filter((id) => /_(one|other)$/.test(id)).map(stem)
    for (const id of plural)
      expect(ids).toEqual(expect.arrayContaining([`${id}_one`, `${id}_other`]))
  })

  it('has placeholders that the page can fill, and no HTML', () => {
    for (const [id, text] of Object.entries(base)) {
      expect(text.replace(/\{[a-z][a-z0-9_]*\}/g, ''), id).not.toMatch(/[{}<>]/)
      expect(text.trim(), id).toBe(text)
      expect(text, id).not.toBe('')
    }
  })

  it('is in the order of its ids, so that translations can be compared', () => {
    expect(ids).toEqual(ids.toSorted())
  })
})

describe('the wording that a payer’s page is sent', () => {
  // An id that is only compared with is not shown.
  const drawn = ['widget/page/', 'shared/rules/']
    .flatMap((folder) => sources(folder, /\.tsx?$/))
    .flatMap(([, text]) =>
      [...text.replace(/[!=]== '[^']*'/g, '').matchAll(ID)].map(([, id]) => id ?? ''),
    )
  const sent = ids.filter(isOnPage)

  it('is shown by a state of the page, all of it', () => {
    // A chat shows this one under the link.
    const shown = new Set([
      ...drawn,
      ...REASONS,
      ...METHOD_NAMES,
      'checkout.preview',
      ...ON_DEEP_LINKS,
    ])
    expect(sent.length).toBeGreaterThan(100)
    expect(sent.filter((id) => !shown.has(id) && !shown.has(stem(id)))).toEqual([])
  })

  it.each(REASONS)('says that a payment was declined: %s', (id) => {
    const { body } = renderCheckout(model({ notice: id }))
    expect(body).toContain(base[id as keyof typeof base])
  })

  it('has a sentence for whatever the server calls a message, and the page shows it', () => {
    const messages = sources('server/', /\.ts$/).flatMap(([, text]) =>
      [...text.matchAll(/message_?[iI]d: '([a-z_.]+)'/g)].map(([, id]) => id ?? ''),
    )
    expect(messages.length).toBeGreaterThan(5)
    const shown = new Set([...drawn, ...REASONS])
    expect(messages.filter((id) => !shown.has(id))).toEqual([])
  })
})

describe('the components', () => {
  const components = sources('widget/', /\.tsx$/)

  // Between a tag and the next brace or tag only white space may stand.
  const wordsIn = (text: string) =>
    [...text.replace(/=>/g, '').matchAll(/>([^<>{}]*[A-Za-z]{2}[^<>{}]*)(?=<\/|<[a-z]|\{)/g)]
      .map(([, words]) => words?.trim() ?? '')
      // What stands between two tags of a program is not between tags of a text.
      .filter((words) => !/[;=()]|&&|\b(?:case|const|return)\b/.test(words))

  it('are read well enough to find a literal sentence', () => {
    expect(wordsIn('<p class="x">Pay now</p>')).toEqual(['Pay now'])
    expect(wordsIn('<p>\n  Pay {amount}\n</p>')).toEqual(['Pay'])
    expect(wordsIn('<p>{t(id)}</p>')).toEqual([])
  })

  it('hold no sentence of their own', () => {
    expect(components.length).toBeGreaterThan(10)
    const literal = components.flatMap(([name, text]) =>
      wordsIn(text).map((words) => [name, words]),
    )
    expect(literal).toEqual([])
  })

  it('take labels and placeholders from the wording too', () => {
    const attribute = /\b(?:aria-label|alt|title|placeholder|content)="[^"]*[A-Za-z]/
    expect(components.filter(([, text]) => attribute.test(text)).map(([name]) => name)).toEqual([])
  })
})
