import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { createGate } from '../../test/payments-client.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const BASE = DEFAULT_CATALOG['default'] as Record<string, string>
const PAY = 'checkout.pay'
const TITLE = 'methods.title'

interface Change {
  id: string
  text: string | null
  language?: string
  branding?: string
}

const publish = (merchant: Merchant, base_version: number, changes: Change[], more: object = {}) =>
  merchant.api('/string_revisions', { body: { revision: { base_version, changes, ...more } } })
const revert = (merchant: Merchant, id: string) =>
  merchant.api(`/string_revisions/${id}/revert`, { body: {} })
const save = (merchant: Merchant, id: string, text: string, more: object = {}) =>
  merchant.api(`/strings/${id}`, { method: 'PUT', body: { string: { text, ...more } } })
const versionOf = async (merchant: Merchant): Promise<number> =>
  (await merchant.api('/strings?limit=1')).json.meta.version
const read = async (merchant: Merchant, id: string, query = '') =>
  (await merchant.api(`/strings/${id}${query}`)).json.string.text as string
/** Every row of the merchant, as `branding language id: text`. */
const rowsOf = async (merchant: Merchant): Promise<string[]> => {
  const { json } = await merchant.api('/string_overrides?limit=1000&order=id')
  return json.string_overrides.map(
    ({ branding, language, id, text }: Record<string, string | null>) =>
      `${branding ?? '-'} ${language} ${id}: ${text}`,
  )
}
const eventsOf = async ({ instance }: Merchant) =>
  (
    await deps.db
      .selectFrom('events')
      .select('data')
      .where('instance_id', '=', instance.id)
      .where('type', '=', 'strings.updated')
      .orderBy('id')
      .execute()
  ).map(({ data }) => JSON.parse(data).strings)
const withBranding = async (key = 'kids') => {
  const merchant = await app.newMerchant()
  const instance = { brandings: [{ key, name: 'Shop kids', channels: ['web'] }] }
  const path = '/instances/default'
  expect((await merchant.api(path, { method: 'PUT', body: { instance } })).status).toBe(200)
  return merchant
}

describe('a revision', () => {
  it('changes strings of several languages and brandings at once', async () => {
    const merchant = await withBranding()
    const version = await versionOf(merchant)
    const { status, json } = await publish(
      merchant,
      version,
      [
        { id: PAY, text: 'Donate {amount}' },
        { id: PAY, text: 'Donner {amount}', language: 'fr' },
        { id: TITLE, text: 'Kids pay', branding: 'kids' },
        { id: TITLE, text: 'Les enfants', branding: 'kids', language: 'fr' },
      ],
      { note: 'Donations' },
    )
    expect([status, json]).toEqual([
      200,
      {
        string_revision: {
          id: expect.stringMatching(/^sr_/),
          note: 'Donations',
          reverts: null,
          version: version + 1,
          change_count: 4,
          created: expect.any(String),
          created_session: expect.stringMatching(/^ses_/),
        },
        version: version + 1,
      },
    ])
    expect(await rowsOf(merchant)).toEqual([
      `- default ${PAY}: Donate {amount}`,
      `- fr ${PAY}: Donner {amount}`,
      `kids default ${TITLE}: Kids pay`,
      `kids fr ${TITLE}: Les enfants`,
    ])
    expect(await versionOf(merchant)).toBe(version + 1)
    expect(await eventsOf(merchant)).toHaveLength(4)
    expect(await eventsOf(merchant)).toEqual(
      expect.arrayContaining([
        { language: 'default', branding: null, ids: [PAY] },
        { language: 'fr', branding: 'kids', ids: [TITLE] },
      ]),
    )
    const { changes } = (await merchant.api(`/string_revisions/${json.string_revision.id}`)).json
      .string_revision
    expect(changes).toContainEqual({
      id: TITLE,
      language: 'fr',
      branding: 'kids',
      before: null,
      text: 'Les enfants',
    })
    expect(changes).toHaveLength(4)
  })

  it('removes an override by null and by the text that it inherits after the other changes', async () => {
    const merchant = await withBranding()
    await save(merchant, PAY, 'Give {amount}')
    await save(merchant, TITLE, 'Mine')
    await save(merchant, PAY, 'Kids give', { branding: 'kids' })
    const changes = [
      { id: PAY, text: 'Donate {amount}', branding: 'kids' },
      { id: TITLE, text: null },
      { id: PAY, text: 'Donate {amount}' },
    ]
    const { json } = await publish(merchant, await versionOf(merchant), changes)
    expect(json.string_revision.change_count).toBe(3)
    expect(await rowsOf(merchant)).toEqual([`- default ${PAY}: Donate {amount}`])
    const again = await publish(merchant, json.version, changes)
    expect([again.status, again.json]).toEqual([
      200,
      { string_revision: null, version: json.version },
    ])
  })

  it('is written by saving strings too, once for a request', async () => {
    const merchant = await app.newMerchant()
    await save(merchant, TITLE, 'One')
    const strings = [
      { id: TITLE, text: 'Two' },
      { id: PAY, text: 'Donate' },
      { id: 'card.code', text: BASE['card.code'] },
    ]
    expect((await merchant.api('/strings', { body: { strings } })).status).toBe(200)
    await save(merchant, TITLE, 'Two')
    const { string_revisions, meta } = (await merchant.api('/string_revisions?order=version:desc'))
      .json
    expect(meta.total).toBe(2)
    expect(string_revisions[0]).toMatchObject({ change_count: 2, note: null, version: 4 })
    const { json } = await merchant.api(
      `/string_revisions/${string_revisions[0].id}?expand=created_session`,
    )
    expect(json.string_revision.created_session).toMatchObject({ type: 'API_KEY' })
    expect(json.string_revision.changes).toEqual([
      { id: PAY, language: 'default', branding: null, before: null, text: 'Donate' },
      { id: TITLE, language: 'default', branding: null, before: 'One', text: 'Two' },
    ])
  })

  it('adds its languages to the instance’s list', async () => {
    const merchant = await app.newMerchant()
    const body = { instance: { languages: ['fr'] } }
    await merchant.api('/instances/default', { method: 'PUT', body })
    await publish(merchant, 1, [{ id: TITLE, text: 'Hoe', language: 'af' }])
    const { json } = await merchant.api('/strings?limit=1')
    expect(json.meta.languages).toEqual(['default', 'af', 'fr'])
  })

  it('is whole or absent', async () => {
    const merchant = await app.newMerchant()
    const changes = [
      { id: TITLE, text: 'x' },
      { id: PAY, text: '{nope}', language: 'fr' },
    ]
    const { status, json } = await publish(merchant, 1, changes)
    expect([status, json.error.message]).toEqual([
      400,
      'revision.changes.1.text uses the unknown placeholder {nope}; it may use: {amount}',
    ])
    expect(await rowsOf(merchant)).toEqual([])
  })

  it.each<[string, object, string]>([
    ['no changes', { changes: [] }, 'revision.changes'],
    ['no base version', { base_version: undefined }, 'revision.base_version'],
    ['a version of the future', { base_version: 99 }, 'at most the present version, 1'],
    ['an unknown id', { changes: [{ id: 'card.nope', text: '' }] }, 'revision.changes.0.id'],
    ['an unknown branding', { changes: [{ id: TITLE, branding: 'x', text: '' }] }, '0.branding'],
    ['an unknown language', { changes: [{ id: TITLE, language: 'xx', text: '' }] }, '0.language'],
    ['a private-use character', { changes: [{ id: TITLE, text: '\ue000' }] }, 'private-use'],
    [
      'one string twice',
      { changes: [1, 2].map((n) => ({ id: TITLE, text: `${n}`, language: 'fr' })) },
      'revision.changes.1 names methods.title a second time',
    ],
    [
      'too many changes',
      { changes: Array.from({ length: 5001 }, () => ({ id: TITLE, text: 'x' })) },
      'at most 5000',
    ],
  ])('refuses %s', async (_what, members, message) => {
    const revision = { base_version: 1, changes: [{ id: TITLE, text: 'x' }], ...members }
    const { status, json } = await app.merchant.api('/string_revisions', { body: { revision } })
    expect([status, json.error.type]).toEqual([400, 'INVALID_REQUEST'])
    expect(json.error.message).toContain(message)
  })

  it('may have five thousand changes', async () => {
    const merchant = await app.newMerchant()
    const ids = Object.keys(BASE).filter((id) => /^(checkout|errors|card|receipt)\./.test(id))
    const plain = ids.filter((id) => !/_(zero|one|two|few|many|other)$/.test(id))
    const languages = Object.keys(DEFAULT_CATALOG)
    const changes = languages
      .flatMap((language) => plain.map((id) => ({ id, language, text: `${language} text` })))
      .slice(0, 5000)
    const { status, json } = await publish(merchant, 1, changes)
    expect([status, json.string_revision.change_count]).toEqual([200, changes.length])
    const { meta } = (await merchant.api('/string_overrides?limit=1')).json
    expect(meta.total).toBe(changes.length)
  }, 30_000)
})

describe('a change since the base version', () => {
  it('of the same string refuses the request and is listed', async () => {
    const merchant = await app.newMerchant()
    const version = await versionOf(merchant)
    await save(merchant, TITLE, 'Theirs', { language: 'fr' })
    const changes = [
      { id: TITLE, text: 'Ours', language: 'fr' },
      { id: PAY, text: 'Ours', language: 'fr' },
    ]
    const { status, json } = await publish(merchant, version, changes)
    expect([status, json.error]).toEqual([
      409,
      {
        type: 'CONFLICT',
        message: `Others have changed 1 of these strings since version ${version}`,
        version: version + 1,
        conflicts: [
          {
            id: TITLE,
            language: 'fr',
            branding: null,
            text: 'Theirs',
            revision: expect.stringMatching(/^sr_/),
          },
        ],
      },
    ])
    expect(await rowsOf(merchant)).toEqual([`- fr ${TITLE}: Theirs`])
    expect((await publish(merchant, json.error.version, changes)).status).toBe(200)
  })

  it('of another string, language or branding, or to the same text, does not', async () => {
    const merchant = await withBranding()
    await save(merchant, PAY, 'Gone')
    const version = await versionOf(merchant)
    await save(merchant, TITLE, 'Ours', { language: 'fr' })
    await save(merchant, PAY, 'Base')
    await save(merchant, TITLE, 'Kids', { branding: 'kids' })
    await save(merchant, PAY, BASE[PAY] as string)
    const { status } = await publish(merchant, version, [
      { id: TITLE, text: 'Ours', language: 'fr' },
      { id: PAY, text: 'Payons', language: 'fr' },
      { id: TITLE, text: 'Base title' },
      { id: PAY, text: null },
    ])
    expect(status).toBe(200)
  })

  it('that took a text away is a conflict too', async () => {
    const merchant = await app.newMerchant()
    await save(merchant, TITLE, 'Old')
    const version = await versionOf(merchant)
    await save(merchant, TITLE, BASE[TITLE] as string)
    const { json } = await publish(merchant, version, [{ id: TITLE, text: 'New' }])
    expect(json.error.conflicts).toMatchObject([{ id: TITLE, text: null }])
  })

  it('by one of many concurrent revisions lets exactly one of them pass', async () => {
    const merchant = await withBranding()
    const texts = Array.from({ length: 6 }, (_, n) => `text ${n}`)
    const answers = await Promise.all(
      texts.map((text, n) =>
        publish(merchant, 1, [
          { id: TITLE, text },
          { id: PAY, text: 'x', ...(n % 2 === 0 ? { branding: 'kids' } : {}) },
        ]),
      ),
    )
    const passed = answers.filter(({ status }) => status === 200)
    expect(passed).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
    expect((await merchant.api('/string_revisions')).json.meta.total).toBe(1)
  })
})

describe('taking back a revision', () => {
  it('restores what it changed, and can be taken back itself', async () => {
    const merchant = await withBranding()
    await save(merchant, TITLE, 'Before')
    const changes = [
      { id: TITLE, text: 'After' },
      { id: PAY, text: 'Give', branding: 'kids', language: 'fr' },
    ]
    const { json: published } = await publish(merchant, await versionOf(merchant), changes)
    const { id } = published.string_revision
    const { status, json } = await revert(merchant, id)
    expect([status, json]).toMatchObject([
      200,
      { string_revision: { reverts: id, change_count: 2 }, version: 4, skipped: [] },
    ])
    expect(await rowsOf(merchant)).toEqual([`- default ${TITLE}: Before`])
    await revert(merchant, json.string_revision.id)
    expect(await rowsOf(merchant)).toEqual([`kids fr ${PAY}: Give`, `- default ${TITLE}: After`])
  })

  it('leaves and lists strings that were changed since', async () => {
    const merchant = await app.newMerchant()
    const changes = [TITLE, PAY, 'card.code'].map((id) => ({ id, text: 'One' }))
    const { json: published } = await publish(merchant, 1, changes)
    await save(merchant, TITLE, 'Two')
    await save(merchant, 'card.code', BASE['card.code'] as string)
    const { json } = await revert(merchant, published.string_revision.id)
    expect(json.string_revision.change_count).toBe(1)
    expect(json.skipped).toEqual([
      { id: 'card.code', language: 'default', branding: null, text: null, because: 'CHANGED' },
      { id: TITLE, language: 'default', branding: null, text: 'Two', because: 'CHANGED' },
    ])
    expect(await rowsOf(merchant)).toEqual([`- default ${TITLE}: Two`])
    const again = await revert(merchant, published.string_revision.id)
    expect(again.json).toMatchObject({ string_revision: null, skipped: [{}, {}, {}] })
  })

  it('leaves strings of a branding that is gone', async () => {
    const merchant = await withBranding()
    await save(merchant, PAY, 'Kids', { branding: 'kids' })
    const { json } = await publish(merchant, await versionOf(merchant), [
      { id: PAY, text: null, branding: 'kids' },
      { id: TITLE, text: 'Base' },
    ])
    const body = { instance: { brandings: [] } }
    await merchant.api('/instances/default', { method: 'PUT', body })
    const reverted = (await revert(merchant, json.string_revision.id)).json
    expect(reverted).toMatchObject({
      string_revision: { change_count: 1 },
      skipped: [{ id: PAY, branding: 'kids', text: null, because: 'UNAVAILABLE' }],
    })
    expect(await read(merchant, TITLE)).toBe(BASE[TITLE])
  })

  it('refuses a revision that does not exist', async () => {
    for (const id of ['sr_1_a', 'nope', '%00']) {
      const { status, json } = await revert(app.merchant, id)
      expect([status, json.error]).toEqual([
        404,
        { type: 'NOT_FOUND', message: 'String revision not found' },
      ])
    }
  })
})

describe('a repeated request', () => {
  it('is processed once under a key', async () => {
    const merchant = await app.newMerchant()
    const revision = { base_version: 1, changes: [{ id: TITLE, text: 'Mine' }] }
    const headers = { 'idempotency-key': 'one' }
    const send = () => merchant.api('/string_revisions', { body: { revision }, headers })
    const [first, second] = await Promise.all([send(), send()])
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
    await save(merchant, TITLE, 'Later')
    const third = await send()
    expect([third.text, third.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    expect(await read(merchant, TITLE)).toBe('Later')
  })

  it('is refused while the brandings are written by another one', async () => {
    const merchant = await app.newMerchant()
    const gate = createGate()
    const held = deps.locks.withLock(
      `strings/${merchant.instance.id}/`,
      { waitMs: 1000 },
      () => gate.passed,
    )
    const waiting = publish(merchant, 1, [{ id: TITLE, text: 'Mine' }])
    const state = await Promise.race([
      waiting.then(() => 'answered'),
      new Promise((resolve) => setTimeout(resolve, 100, 'waiting')),
    ])
    expect(state).toBe('waiting')
    gate.open()
    await held
    expect((await waiting).status).toBe(200)
  })
})

describe('the list of overrides', () => {
  it('has the texts of all languages and brandings, by any field', async () => {
    const merchant = await withBranding()
    await publish(merchant, 1, [
      { id: TITLE, text: 'Base' },
      { id: TITLE, text: 'Kids', branding: 'kids' },
      { id: TITLE, text: 'Fr', language: 'fr' },
      { id: PAY, text: '', language: 'fr' },
    ])
    const list = async (criteria: string) => {
      const query = new URLSearchParams({ criteria, order: 'id' }).toString()
      const { json } = await merchant.api(`/string_overrides?${query}`)
      return json.string_overrides.map(({ text }: { text: string }) => text)
    }
    expect(await list('')).toEqual(['', 'Base', 'Kids', 'Fr'])
    expect(await list('branding!')).toEqual(['', 'Base', 'Fr'])
    expect(await list('branding=kids')).toEqual(['Kids'])
    expect(await list(`language=fr,id=${PAY}`)).toEqual([''])
    const { json } = await merchant.api('/string_overrides?criteria=branding!!')
    expect(json.string_overrides).toEqual([
      {
        id: TITLE,
        language: 'default',
        branding: 'kids',
        text: 'Kids',
        shipped_changed: false,
        created: expect.any(String),
        updated: expect.any(String),
        updated_session: expect.stringMatching(/^ses_/),
      },
    ])
  })

  it('pages through one id in many languages without repeats', async () => {
    const merchant = await app.newMerchant()
    const languages = Object.keys(DEFAULT_CATALOG)
    await publish(
      merchant,
      1,
      languages.map((language) => ({ id: TITLE, language, text: `in ${language}` })),
    )
    for (const order of ['id', 'created:desc']) {
      const seen = await Promise.all(
        languages.map(async (_language, offset) => {
          const path = `/string_overrides?limit=1&offset=${offset}&order=${order}`
          return (await merchant.api(path)).json.string_overrides[0].language
        }),
      )
      expect(new Set(seen)).toEqual(new Set(languages))
    }
  })
})
