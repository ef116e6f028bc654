import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { STRING_FILE_FORMATS, type StringFileFormat } from '../../shared/schemas/string-transfer.ts'
import { repetitions } from '../../test/depth.ts'
import { listIds } from './catalog.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'
import { FILE_FORMATS } from './formats/index.ts'

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

  it.each(STRING_FILE_FORMATS)('of an export as %s changes nothing', async (format) => {
    const merchant = await withBranding()
    await save(merchant, PAY, 'Give {amount}')
    await save(merchant, 'status.fields_few', '{count} pola', { language: 'pl' })
    await save(merchant, TITLE, 'Dzieci', { language: 'pl', branding: 'kids' })
    const languages = fc.constantFrom(...Object.keys(DEFAULT_CATALOG), 'af')
    await fc.assert(
      fc.asyncProperty(languages, fc.boolean(), async (language, isKids) => {
        const branding: Record<string, string> = isKids ? { branding: 'kids' } : {}
        const query = new URLSearchParams({ language, only: 'all', format, ...branding }).toString()
        const { content } = await download(merchant, query)
        const { json } = await compare(merchant, content, { format, language, ...branding })
        expect(json.string_import).toMatchObject({ changes: [], refused: [] })
        expect(json.string_import.unchanged).toBeGreaterThan(listIds(language).length - 5)
      }),
      { numRuns: repetitions(3, 20) },
    )
  })

  it.each(['CSV', 'XLIFF_1_2', 'XLIFF_2_0'] as const)(
    'keeps any text of a file in %s',
    async (name) => {
      const format = FILE_FORMATS[name]
      const word = fc.constantFrom(
        '=1+1',
        "'=x",
        "'",
        '"',
        ';',
        ',',
        '<b>',
        '&amp;',
        '{amount}',
        '日本',
        'é',
        '\n',
        ']]>',
      )
      const texts = fc
        .array(word, { minLength: 1, maxLength: 6 })
        .map((words) => words.join(' ').trim())
      await fc.assert(
        fc.asyncProperty(texts, texts, async (base, text) => {
          fc.pre(text !== '')
          const file = await format.write([{ id: PAY, note: '', base, text, isStale: true }], 'fr')
          expect([...(await format.parse(file, 'fr'))]).toEqual([[PAY, text]])
        }),
        { numRuns: repetitions(50, 1000) },
      )
    },
  )

  it('reads tables and files of translation programs', async () => {
    const { merchant } = app
    const changes = [{ id: PAY, before: DEFAULT_CATALOG['fr']?.[PAY], text: 'Donner {amount}' }]
    const unit = (inner: string) =>
      `<file id="f"><group id="g"><unit id="${PAY}"><segment>${inner}</segment></unit></group></file>`
    const target = `<target>Donner <ph id="amount" equiv="{amount}"/></target>`
    for (const [format, content] of [
      ['CSV', `note;fr;id;de\r\n;Donner {amount};${PAY};Geben\r\n;;${TITLE};x\r\n`],
      ['CSV', `\ufeffid\tfr\n${PAY}\tDonner {amount}\n`],
      [
        'XLIFF_2_0',
        `<xliff version="2.0" srcLang="en" trgLang="fr-FR">${unit(`<source>x</source>${target}`)}</xliff>`,
      ],
      [
        'XLIFF_1_2',
        '<xliff version="1.2"><file original="f" source-language="en" target-language="fr"><body>' +
          `<trans-unit id="${PAY}"><source>x</source><target>Donner <x id="amount"/></target></trans-unit>` +
          `<trans-unit id="${TITLE}"><source>x</source><target></target></trans-unit></body></file></xliff>`,
      ],
    ] as const) {
      const { status, json } = await compare(merchant, content, { format, language: 'fr' })
      expect([status, json.string_import?.changes, json.string_import?.refused], content).toEqual([
        200,
        changes,
        [],
      ])
    }
  })

  it.each<[string, StringFileFormat, string]>([
    ['a table without the language', 'CSV', 'id,de\na,b'],
    ['a table with a string twice', 'CSV', `id,fr\n${PAY},a\n${PAY},b`],
    ['an open quote', 'CSV', 'id,fr\n"a'],
    ['no XML', 'XLIFF_2_0', 'nope'],
    ['an open element', 'XLIFF_1_2', '<xliff version="1.2"><file>'],
    ['another element', 'XLIFF_2_0', '<html/>'],
    ['another version', 'XLIFF_2_0', '<xliff version="1.2"/>'],
    ['another language', 'XLIFF_2_0', '<xliff version="2.0" srcLang="en" trgLang="de"/>'],
    [
      'entities',
      'XLIFF_2_0',
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><xliff version="2.0"/>',
    ],
    [
      'formatting',
      'XLIFF_2_0',
      `<xliff version="2.0"><file id="f"><unit id="${PAY}"><segment><target><pc id="1">a</pc></target></segment></unit></file></xliff>`,
    ],
    [
      'deep nesting',
      'XLIFF_2_0',
      `<xliff version="2.0"><file id="f">${'<group id="g">'.repeat(50_000)}${'</group>'.repeat(50_000)}</file></xliff>`,
    ],
  ])('refuses %s', async (_what, format, content) => {
    const { status, json } = await compare(app.merchant, content, { format, language: 'fr' })
    expect([status, json.error.message]).toEqual([
      400,
      expect.stringMatching(/^string_import\.content must /),
    ])
  })

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
