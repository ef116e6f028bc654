import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const PAY = 'checkout.pay'

const save = async (merchant: Merchant, id: string, text: string, more: object = {}) => {
  app.pass(1000)
  const body = { string: { text, ...more } }
  const {
    status,
    json,
    text: answer,
  } = await merchant.api(`/strings/${id}`, {
    method: 'PUT',
    body,
  })
  expect(status, answer).toBe(200)
  return json.string
}
const read = async (merchant: Merchant, id: string, query = '') =>
  (await merchant.api(`/strings/${id}?${query}`)).json.string
const why = async (merchant: Merchant, query = '', id = PAY): Promise<string | undefined> => {
  const { stale, stale_because } = await read(merchant, id, query)
  expect(stale).toBe(stale_because === undefined ? undefined : true)
  return stale_because
}
const acknowledge = (merchant: Merchant, string_acks: object[]) =>
  merchant.api('/string_acks', { method: 'PUT', body: { string_acks } })
const withBranding = async () => {
  const merchant = await app.newMerchant()
  const brandings = [{ key: 'kids', name: 'Kids', channels: ['web'] }]
  const body = { instance: { brandings } }
  await merchant.api('/instances/default', { method: 'PUT', body })
  return merchant
}

describe('a string is stale', () => {
  it('as a shipped translation of a changed base text', async () => {
    const merchant = await withBranding()
    expect(await why(merchant, 'language=fr')).toBeUndefined()
    await save(merchant, PAY, 'Give {amount}', { branding: 'kids' })
    expect(await why(merchant, 'language=fr')).toBeUndefined()
    expect(await why(merchant, 'language=fr&branding=kids')).toBe('BASE_CHANGED')
    await save(merchant, PAY, 'Give {amount}')
    expect(await why(merchant, 'language=fr')).toBe('BASE_CHANGED')
    // A language that is not shipped shows the base text itself.
    expect(await why(merchant, 'language=af')).toBeUndefined()
    expect(await why(merchant)).toBeUndefined()
  })

  it('as a plural form that English lacks, when the form `other` changes', async () => {
    const merchant = await app.newMerchant()
    await save(merchant, 'status.fields_other', '{count} things')
    expect(await why(merchant, 'language=pl', 'status.fields_few')).toBe('BASE_CHANGED')
    expect(await why(merchant, 'language=pl', 'status.fields_one')).toBeUndefined()
  })

  it('as a translation of the merchant that is older than the merchant’s base text', async () => {
    const merchant = await withBranding()
    await save(merchant, PAY, 'Give {amount}')
    await save(merchant, PAY, 'Donner {amount}', { language: 'fr' })
    expect(await why(merchant, 'language=fr')).toBeUndefined()
    await save(merchant, PAY, 'Sponsor {amount}')
    expect(await why(merchant, 'language=fr')).toBe('OLDER')
    expect(await why(merchant, 'language=fr&branding=kids')).toBe('OLDER')
    await save(merchant, PAY, 'Parrainer {amount}', { language: 'fr' })
    expect(await why(merchant, 'language=fr')).toBeUndefined()
    await save(merchant, PAY, 'Kids {amount}', { branding: 'kids' })
    expect(await why(merchant, 'language=fr')).toBeUndefined()
    expect(await why(merchant, 'language=fr&branding=kids')).toBe('OLDER')
  })

  it('is not older when both were written at once', async () => {
    const merchant = await app.newMerchant()
    const changes = [
      { id: PAY, text: 'Give {amount}' },
      { id: PAY, text: 'Donner {amount}', language: 'fr' },
    ]
    await merchant.api('/string_revisions', { body: { revision: { base_version: 1, changes } } })
    expect(await why(merchant, 'language=fr')).toBeUndefined()
  })

  it('as a text over a shipped one that an upgrade changed', async () => {
    const merchant = await app.newMerchant()
    await save(merchant, PAY, 'Donner {amount}', { language: 'fr' })
    await save(merchant, PAY, 'Give {amount}')
    const upgrade = (shipped_hash: string | null) =>
      deps.db
        .updateTable('strings')
        .set({ shipped_hash })
        .where('instance_id', '=', merchant.instance.id)
        .where('language', '=', 'default')
        .execute()
    expect(await why(merchant)).toBeUndefined()
    await upgrade('of-another-text-0000000')
    expect(await why(merchant)).toBe('SHIPPED_CHANGED')
    const { string_overrides } = (await merchant.api('/string_overrides?order=language')).json
    const changed = (row: { shipped_changed: boolean }) => row.shipped_changed
    expect(string_overrides.map(changed)).toEqual([true, false])
    // What was written before this was noted.
    await upgrade(null)
    expect(await why(merchant)).toBeUndefined()
  })

  it('and the list shows only such strings, or only the others', async () => {
    const merchant = await app.newMerchant()
    await save(merchant, PAY, 'Give {amount}')
    const list = async (query: string) =>
      (await merchant.api(`/strings?language=fr&limit=1000&${query}`)).json
    const stale = await list('stale=Y')
    expect(stale.strings.map(({ id }: { id: string }) => id)).toEqual([PAY])
    const others = await list('stale=N')
    expect(others.meta.total).toBe((await list('')).meta.total - 1)
    const { status } = await merchant.api('/strings?stale=maybe')
    expect(status).toBe(400)
  })
})

describe('an acknowledged string', () => {
  it('is not stale until it or what it depends on changes', async () => {
    const merchant = await withBranding()
    await save(merchant, PAY, 'Give {amount}')
    const { stale_hash } = await read(merchant, PAY, 'language=fr')
    const seen = { id: PAY, language: 'fr', stale_hash }
    const { status, json } = await acknowledge(merchant, [seen])
    expect([status, json]).toEqual([
      200,
      { string_acks: [{ id: PAY, language: 'fr', branding: null, stale: false }] },
    ])
    expect(await why(merchant, 'language=fr')).toBeUndefined()
    // Only in its own scope.
    expect(await why(merchant, 'language=fr&branding=kids')).toBe('BASE_CHANGED')
    expect(await why(merchant, 'language=de')).toBe('BASE_CHANGED')
    await save(merchant, PAY, 'Sponsor {amount}')
    expect(await why(merchant, 'language=fr')).toBe('BASE_CHANGED')
    // What was seen is no longer there.
    expect((await acknowledge(merchant, [seen])).json.string_acks[0].stale).toBe(true)
    await save(merchant, PAY, 'Give {amount}')
    expect(await why(merchant, 'language=fr')).toBeUndefined()
  })

  it('is listed, with whether it is stale again', async () => {
    const merchant = await withBranding()
    await save(merchant, PAY, 'Give {amount}')
    const scopes: Record<string, string>[] = [
      { language: 'fr' },
      { language: 'de', branding: 'kids' },
    ]
    for (const scope of scopes) {
      const query = new URLSearchParams(scope).toString()
      const { stale_hash } = await read(merchant, PAY, query)
      await acknowledge(merchant, [{ id: PAY, ...scope, stale_hash }])
    }
    await save(merchant, PAY, 'Geben {amount}', { language: 'de' })
    await save(merchant, PAY, 'Sponsor {amount}')
    await acknowledge(merchant, [
      {
        id: PAY,
        language: 'fr',
        stale_hash: (await read(merchant, PAY, 'language=fr')).stale_hash,
      },
    ])
    const list = async (query: string) => (await merchant.api(`/string_acks?${query}`)).json
    const { string_acks, meta } = await list('order=language')
    expect(meta.total).toBe(2)
    const noted = { created: expect.any(String), created_session: expect.stringMatching(/^ses_/) }
    expect(string_acks).toEqual([
      { id: PAY, language: 'de', branding: 'kids', stale: true, ...noted },
      { id: PAY, language: 'fr', branding: null, stale: false, ...noted },
    ])
    expect((await list('criteria=branding=kids')).string_acks).toEqual([string_acks[0]])
  })

  it.each<[string, object, string]>([
    ['an unknown id', { id: 'card.nope' }, 'string_acks.0.id is not a known string'],
    ['an unknown branding', { branding: 'x' }, 'string_acks.0.branding'],
    ['another form of a hash', { stale_hash: 'x' }, 'must be the stale_hash of a string'],
  ])('cannot have %s', async (_what, members, message) => {
    const ack = { id: PAY, stale_hash: 'x'.repeat(22), ...members }
    const { status, json } = await acknowledge(app.merchant, [ack])
    expect([status, json.error.type]).toEqual([400, 'INVALID_REQUEST'])
    expect(json.error.message).toContain(message)
  })

  it('is named once in a request', async () => {
    const ack = { id: PAY, stale_hash: 'x'.repeat(22) }
    const { json } = await acknowledge(app.merchant, [ack, ack])
    expect(json.error.message).toBe('string_acks.1 names checkout.pay a second time')
  })
})
