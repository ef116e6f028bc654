import { describe, expect, it } from 'vitest'
import { basic, type Call, startTestApp } from '../../test/app.ts'
import { newColleague, PASSWORD } from '../../test/oauth.ts'

const app = await startTestApp()
const merchant = await app.newMerchant()
const { email } = await newColleague(app, merchant, { role: 'EDITOR', languages: '["fr"]' })
const asEditor = (path: string, call: Call) =>
  app.call(`/c/api/instances/${merchant.instance.key}${path}`, {
    ...call,
    headers: { authorization: basic(`${email}:${PASSWORD}`) },
  })

const german = { id: 'methods.title', language: 'de' }
const french = { id: 'methods.title', language: 'fr' }
const text = 'Moyens'
const { version } = (await merchant.api('/strings?limit=1')).json.meta
const ofGerman = await merchant.api('/string_revisions', {
  body: { revision: { base_version: version, changes: [{ ...german, text: 'Zahlen' }] } },
})
const reverted = `/string_revisions/${ofGerman.json.string_revision.id}/revert`
const stale_hash = 'x'.repeat(22)

describe('an editor of French', () => {
  it.each<[name: string, path: string, call: Call]>([
    [
      'one string',
      '/strings/methods.title',
      { method: 'PUT', body: { string: { ...german, text } } },
    ],
    ['a base string', '/strings', { body: { strings: [{ id: 'methods.title', text }] } }],
    ['several strings', '/strings', { body: { strings: [{ ...german, text }] } }],
    [
      'a revision of both languages',
      '/string_revisions',
      {
        body: {
          revision: {
            base_version: version,
            changes: [
              { ...french, text },
              { ...german, text },
            ],
          },
        },
      },
    ],
    ['what a revision wrote', reverted, { body: {} }],
    [
      'what is stale',
      '/string_acks',
      { method: 'PUT', body: { string_acks: [{ ...german, stale_hash }] } },
    ],
  ])('cannot change other languages: %s', async (_name, path, call) => {
    const { status, text: answer } = await asEditor(path, call)
    expect([status, answer]).toEqual([403, expect.stringContaining('strings of fr, and not of de')])
    const { json } = await merchant.api('/string_overrides?criteria=language=fr')
    expect(json.string_overrides).toEqual([])
  })

  it('changes French by each of them', async () => {
    const answers = [
      await asEditor('/strings', { body: { strings: [{ ...french, text }] } }),
      await asEditor('/strings/card.code', {
        method: 'PUT',
        body: { string: { language: 'fr', text: 'Code' } },
      }),
      await asEditor('/string_acks', {
        method: 'PUT',
        body: { string_acks: [{ ...french, stale_hash }] },
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { json } = await merchant.api('/strings?limit=1')
    const changes = [{ ...french, text: 'Autre' }]
    const revision = { base_version: json.meta.version, changes }
    const published = await asEditor('/string_revisions', { body: { revision } })
    expect(published.status, published.text).toBe(200)
    const { id } = published.json.string_revision
    expect((await asEditor(`/string_revisions/${id}/revert`, { body: {} })).status).toBe(200)
  })
})

describe('an editor', () => {
  const put = (body: object) =>
    asEditor(`/instances/${merchant.instance.key}`, { method: 'PUT', body })
  const brandings = [{ key: 'kids', name: 'Kids' }]

  it('changes brandings and no other setting', async () => {
    expect((await put({ instance: { brandings } })).status).toBe(200)
    const refused = [
      await put({ instance: { name: 'Mine' } }),
      await put({ instance: { brandings, timezone: 'Europe/Paris' } }),
      await put({ instance: { brandings: [] }, force: true }),
      await asEditor('/legal_entities', { body: { legal_entity: { name: 'Mine' } } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  })
})
