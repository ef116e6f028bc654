import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { listIds } from './catalog.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'

const app = await startTestApp()
const BASE = DEFAULT_CATALOG['default'] as Record<string, string>
const PAY = 'checkout.pay'
const TITLE = 'methods.title'

const save = async (merchant: Merchant, id: string, text: string, more: object = {}) => {
  const body = { string: { text, ...more } }
  const { status, text: answer } = await merchant.api(`/strings/${id}`, { method: 'PUT', body })
  expect(status, answer).toBe(200)
}
const download = async (merchant: Merchant, query = '') =>
  (await merchant.api(`/string_exports?${query}`)).json.string_export
const compare = (merchant: Merchant, content: unknown, more: object = {}) =>
  merchant.api('/string_imports', {
    body: {
      string_import: {
        format: 'JSON',
        content: typeof content === 'string' ? content : JSON.stringify(content),
        ...more,
      },
    },
  })
const withBranding = async () => {
  const merchant = await app.newMerchant()
  const brandings = [{ key: 'kids', name: 'Kids', channels: ['web'] }]
  const body = { instance: { brandings } }
  await merchant.api('/instances/default', { method: 'PUT', body })
  return merchant
}

describe('an export', () => {
  it('has the own, the stale or all strings of a language and branding', async () => {
    const merchant = await withBranding()
    await save(merchant, PAY, 'Give {amount}')
    await save(merchant, TITLE, '', { language: 'fr', branding: 'kids' })
    expect(await download(merchant)).toEqual({
      format: 'JSON',
      language: 'default',
      branding: null,
      file_name: 'strings-default.json',
      content: '{\n  "checkout.pay": "Give {amount}"\n}\n',
    })
    const own = await download(merchant, 'language=fr&branding=kids')
    expect([own.file_name, JSON.parse(own.content)]).toEqual([
      'strings-kids-fr.json',
      { [TITLE]: '' },
    ])
    const stale = await download(merchant, 'language=fr&only=stale')
    expect(JSON.parse(stale.content)).toEqual({ [PAY]: DEFAULT_CATALOG['fr']?.[PAY] })
    const all = await download(merchant, 'language=pl&only=all')
    expect(Object.keys(JSON.parse(all.content))).toEqual(listIds('pl'))
  })

  it.each(['format=TXT', 'only=mine', 'language=xx', 'branding=nope'])(
    'refuses %s',
    async (query) => {
      const { status, json } = await app.merchant.api(`/string_exports?${query}`)
      expect([status, json.error.message]).toEqual([
        400,
        expect.stringContaining(query.split('=')[0] as string),
      ])
    },
  )
})

describe('an import', () => {
  it('tells what it would change, and writes nothing', async () => {
    const merchant = await withBranding()
    await save(merchant, PAY, 'Give {amount}')
    await save(merchant, TITLE, 'Mine')
    const file = {
      [PAY]: 'Donate {amount}',
      [TITLE]: BASE[TITLE],
      'card.code': BASE['card.code'],
      'card.number': null,
      'card.nope': 'x',
      'receipt.date': '{nope}',
    }
    const { status, json } = await compare(merchant, file)
    expect([status, json.string_import]).toEqual([
      200,
      {
        language: 'default',
        branding: null,
        version: 3,
        changes: [
          { id: PAY, before: 'Give {amount}', text: 'Donate {amount}' },
          { id: TITLE, before: 'Mine', text: null },
        ],
        unchanged: 2,
        refused: [
          { id: 'card.nope', because: 'is not a known string' },
          { id: 'receipt.date', because: expect.stringContaining('{nope}') },
        ],
      },
    ])
    expect((await merchant.api('/string_revisions')).json.meta.total).toBe(2)
    const { version, changes } = json.string_import
    const revision = {
      base_version: version,
      changes: changes.map(({ id, text }: { id: string; text: string }) => ({ id, text })),
    }
    expect((await merchant.api('/string_revisions', { body: { revision } })).status).toBe(200)
    const again = (await compare(merchant, file)).json.string_import
    expect(again).toMatchObject({ changes: [], unchanged: 4 })
  })

  it('of an export changes nothing', async () => {
    const merchant = await withBranding()
    await save(merchant, PAY, 'Give {amount}')
    await save(merchant, 'status.fields_few', '{count} pola', { language: 'pl' })
    await save(merchant, TITLE, 'Dzieci', { language: 'pl', branding: 'kids' })
    const languages = fc.constantFrom(...Object.keys(DEFAULT_CATALOG), 'af')
    await fc.assert(
      fc.asyncProperty(languages, fc.boolean(), async (language, isKids) => {
        const branding: Record<string, string> = isKids ? { branding: 'kids' } : {}
        const query = new URLSearchParams({ language, only: 'all', ...branding }).toString()
        const { content } = await download(merchant, query)
        const { json } = await compare(merchant, `\ufeff${content}`, { language, ...branding })
        expect(json.string_import).toMatchObject({
          changes: [],
          refused: [],
          unchanged: listIds(language).length,
        })
      }),
      { numRuns: 20 },
    )
  }, 30_000)

  it.each<[string, unknown]>([
    ['no JSON', '{"checkout.pay": '],
    ['a list', []],
    ['a number', { [PAY]: 1 }],
    ['nested objects', { fr: { [PAY]: 'x' } }],
    ['too many strings', Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`${n}`, '']))],
  ])('refuses %s', async (_what, content) => {
    const { status, json } = await compare(app.merchant, content)
    expect([status, json.error.message]).toEqual([
      400,
      expect.stringMatching(/^string_import\.content must /),
    ])
  })
})
