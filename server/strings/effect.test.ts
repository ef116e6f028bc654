import { describe, expect, it } from 'vitest'
import { up } from '../db/migrations/0024-wording-of-the-server.ts'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { newLink } from '../../test/payer-client.ts'
import { listIds } from './catalog.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const BASE = DEFAULT_CATALOG['default'] as Record<string, string>
const TITLE = 'methods.title'

const put = (merchant: Merchant, id: string, text: string, more: Record<string, unknown> = {}) =>
  merchant.api(`/strings/${id}`, { method: 'PUT', body: { string: { text, ...more } } })
const list = async (merchant: Merchant, language: string) =>
  (await merchant.api(`/strings?limit=1000&language=${language}`)).json

describe('a string of a server page', () => {
  const ids = Object.keys(BASE).filter((id) => /^(sign_in|authorize)\./.test(id))

  it('is refused with the reason, alone and in a batch', async () => {
    expect(ids.length).toBeGreaterThan(20)
    for (const id of ids) {
      const refused = {
        code: 'SVC-7002',
        message: `${id} cannot be replaced: the pages where users sign in and approve platforms belong to the server`,
      }
      const alone = await put(app.merchant, id, 'x')
      expect([alone.status, alone.json]).toEqual([400, refused])
    }
    const strings = [
      { id: TITLE, text: 'x' },
      { id: 'sign_in.title', text: 'x' },
    ]
    expect((await app.merchant.api('/strings', { body: { strings } })).status).toBe(400)
    expect((await app.merchant.api(`/strings/${TITLE}`)).json.string.text).toBe(BASE[TITLE])
  })

  it('can be neither listed nor read', async () => {
    for (const id of ids) {
      expect((await app.merchant.api(`/strings/${id}`)).status, id).toBe(404)
    }
  })

  it('is deleted by an upgrade if it was saved before', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, TITLE, 'kept')
    const row = {
      instance_id: merchant.instance.id,
      branding: '',
      language: 'af',
      text: 'x',
      created: '2026-01-01T00:00:00.000Z',
      updated: '2026-01-01T00:00:00.000Z',
    }
    const rows = ['sign_in.title', 'authorize.title'].map((id) => ({ ...row, id }))
    await db.insertInto('strings').values(rows).execute()
    await up(db as never)
    const left = await db
      .selectFrom('strings')
      .select('id')
      .where('instance_id', '=', merchant.instance.id)
      .execute()
    expect(left).toEqual([{ id: TITLE }])
    expect((await list(merchant, 'default')).meta.languages).not.toContain('af')
  })
})

describe('a plural form', () => {
  it.each([
    ['fr', 'few', 'one, many, other'],
    ['ja', 'one', 'other'],
    ['default', 'few', 'one, other'],
    ['en', 'many', 'one, other'],
    ['pt', 'two', 'one, many, other'],
  ])('that %s does not have, such as %s, is refused', async (language, form, forms) => {
    const { status, json } = await put(app.merchant, `status.fields_${form}`, 'x', { language })
    expect([status, json]).toEqual([
      400,
      {
        code: 'SVC-7002',
        message: `status.fields_${form} is a plural form that ${language} does not have; it has ${forms}`,
      },
    ])
  })

  it.each(['default', 'fr', 'pl', 'ar', 'ja', 'lt', 'ie'])(
    'is listed in %s exactly where it can be saved',
    async (language) => {
      const { strings } = await list(app.merchant, language)
      const listed = strings.map(({ id }: { id: string }) => id)
      expect(listed).toEqual(listIds(language))
      for (const form of ['zero', 'one', 'two', 'few', 'many', 'other']) {
        const merchant = await app.newMerchant()
        const { status } = await put(merchant, `status.fields_${form}`, 'x', { language })
        expect([form, status]).toEqual([form, listed.includes(`status.fields_${form}`) ? 200 : 400])
      }
    },
  )

  it('without a text resolves to _other and inherits from it', async () => {
    const merchant = await app.newMerchant()
    const few = async () =>
      (await merchant.api('/strings/status.fields_few?language=lt')).json.string
    expect((await few()).text).toBe(BASE['status.fields_other'])
    await put(merchant, 'status.fields_other', 'kita', { language: 'lt' })
    expect(await few()).toEqual({ id: 'status.fields_few', text: 'kita', language: 'lt' })
    const saved = await put(merchant, 'status.fields_few', 'keli', { language: 'lt' })
    expect(saved.json.string).toMatchObject({ text: 'keli', overriding: 'kita' })
    await put(merchant, 'status.fields_few', 'kita', { language: 'lt' })
    expect(await few()).not.toHaveProperty('overriding')
  })

  it('that is saved together with _other keeps its own text', async () => {
    const merchant = await app.newMerchant()
    const base = BASE['status.fields_other'] as string
    const strings = [
      { id: 'status.fields_few', text: base, language: 'lt' },
      { id: 'status.fields_other', text: 'kita', language: 'lt' },
    ]
    const { json } = await merchant.api('/strings', { body: { strings } })
    expect(json.strings.map(({ text }: { text: string }) => text)).toEqual([base, 'kita'])
  })
})

describe('a language that the instance’s list lacks', () => {
  const narrow = (merchant: Merchant, languages: string[]) =>
    merchant.api('/instances/default', { method: 'PUT', body: { instance: { languages } } })

  it('is added with its first saved string and offered to payers', async () => {
    const merchant = await app.newMerchant()
    const before = (await narrow(merchant, ['fr'])).json.instance
    await put(merchant, TITLE, 'Hoe om te betaal', { language: 'af' })
    expect((await list(merchant, 'default')).meta.languages).toEqual(['default', 'af', 'fr'])
    const { instance } = (await merchant.api('/instances/default')).json
    expect(instance).toMatchObject({ languages: ['fr', 'af'], v: before.v + 1 })
    const link = await newLink(merchant)
    const page = await app.call(`/pay/${link.id}`, { headers: { 'accept-language': 'af' } })
    expect(page.text).toContain('Hoe om te betaal')
  })

  it('is not added when nothing changes, or a base string does', async () => {
    const merchant = await app.newMerchant()
    await narrow(merchant, ['fr'])
    await put(merchant, TITLE, DEFAULT_CATALOG['de']?.[TITLE] as string, { language: 'de' })
    await put(merchant, TITLE, 'Pay by', {})
    expect((await list(merchant, 'default')).meta.languages).toEqual(['default', 'fr'])
  })
})
