import { describe, expect, it, vi } from 'vitest'
import { basic, type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { createGate } from '../../test/payments-client.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { recordStatements } from '../../test/statement-recorder.ts'
import { openCheckout } from '../checkouts/open-session.ts'
import { closeExpiredSessions } from '../checkouts/close-sessions.ts'
import { pruneBundles, pruneCheckouts } from '../checkouts/prune.ts'
import { canBeOverridden } from '../../shared/rules/string-ids.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const BASE = DEFAULT_CATALOG['default'] as Record<string, string>
const PAY = 'checkout.pay_unknown'
const TITLE = 'methods.title'

const put = (merchant: Merchant, id: string, text: string, more: Record<string, unknown> = {}) =>
  merchant.api(`/strings/${id}`, { method: 'PUT', body: { string: { text, ...more } } })
const post = (merchant: Merchant, strings: unknown) =>
  merchant.api('/strings', { body: { strings } })
const read = async (merchant: Merchant, id: string, query = '') =>
  (await merchant.api(`/strings/${id}${query}`)).json.string
/** Holds the lock of a branding's writes. Returns a function that releases it. */
const holdWrites = ({ instance }: Merchant, branding: string) => {
  const gate = createGate()
  const queue = `strings/${instance.id}/${branding}`
  const held = deps.locks.withLock(queue, { waitMs: 1000 }, () => gate.passed)
  return async () => {
    gate.open()
    await held
  }
}
const change = (merchant: Merchant, instance: object, more: Record<string, unknown> = {}) =>
  merchant.api('/instances/default', { method: 'PUT', body: { instance, ...more } })
const brandings = (merchant: Merchant, keys: string[], more: Record<string, unknown> = {}) => {
  const listed = keys.map((key) => ({ key, name: `Shop ${key}`, channels: [`${key}-web`] }))
  return change(merchant, { brandings: listed }, more)
}

describe('saving one string', () => {
  it('returns the text and the text that it overrides', async () => {
    const merchant = await app.newMerchant()
    const { status, json } = await put(merchant, PAY, 'Donate')
    expect([status, json]).toEqual([
      200,
      { string: { id: PAY, text: 'Donate', language: 'default', overriding: BASE[PAY] } },
    ])
    expect(await read(merchant, PAY)).toEqual(json.string)
  })

  it('keeps a repeated override, and removes one that equals the inherited text', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, PAY, 'Donate')
    expect((await put(merchant, PAY, 'Donate')).json.string.overriding).toBe(BASE[PAY])
    const removed = (await put(merchant, PAY, BASE[PAY] as string)).json.string
    expect(removed).toEqual({ id: PAY, text: BASE[PAY], language: 'default' })
    expect((await put(merchant, PAY, BASE[PAY] as string)).json.string).toEqual(removed)
  })

  it('accepts an empty text, which hides a string', async () => {
    const merchant = await app.newMerchant()
    expect((await put(merchant, TITLE, '')).json.string).toMatchObject({
      text: '',
      overriding: BASE[TITLE],
    })
  })

  it('compares texts by their Unicode normalization', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, TITLE, 'Caf\u0065\u0301\r\nline')
    expect((await read(merchant, TITLE)).text).toBe('Caf\u00e9\nline')
  })

  it('keeps an override that the inherited text equals later', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, TITLE, 'Zahlen', { language: 'af' })
    await put(merchant, TITLE, 'Zahlen')
    expect((await read(merchant, TITLE, '?language=af')).overriding).toBe('Zahlen')
  })

  it('reads language and branding from the body and never from the query', async () => {
    const merchant = await app.newMerchant()
    const { json } = await merchant.api(`/strings/${TITLE}?language=fr&branding=x`, {
      method: 'PUT',
      body: { string: { text: 'How', language: null, branding: null } },
    })
    expect(json.string).toMatchObject({ language: 'default', text: 'How' })
  })

  const refusals: [string, unknown, string][] = [
    ['no text', { string: { language: 'fr' } }, 'SVC-7001'],
    ['a text of null', { string: { text: null } }, 'SVC-7001'],
    ['a misspelt member', { string: { text: 'x', lang: 'fr' } }, 'SVC-7001'],
    ['a body without string', { text: 'x' }, 'SVC-7001'],
    ['a very long text', { string: { text: 'x'.repeat(20_001) } }, 'SVC-7001'],
    ['a language in capitals', { string: { text: 'x', language: 'FR' } }, 'SVC-7003'],
    ['a region', { string: { text: 'x', language: 'fr-CH' } }, 'SVC-7003'],
    ['a code that is no language', { string: { text: 'x', language: 'xx' } }, 'SVC-7003'],
    ['an unknown branding', { string: { text: 'x', branding: 'nope' } }, 'SVC-7004'],
    ['an unknown placeholder', { string: { text: 'x {amount}' } }, 'SVC-7007'],
    ['a lonely brace', { string: { text: 'x {' } }, 'SVC-7007'],
    ['a private-use character', { string: { text: 'x \ue123' } }, 'SVC-7007'],
  ]
  it.each(refusals)('refuses %s in the flat shape', async (_what, body, code) => {
    const { status, json } = await app.merchant.api(`/strings/${TITLE}`, { method: 'PUT', body })
    expect([status, json.code]).toEqual([400, code])
    expect(Object.keys(json)).toEqual(['code', 'message'])
  })

  it('refuses an unknown set and an unknown name', async () => {
    for (const id of ['nope.title', 'checkout.nope', 'nope']) {
      expect((await put(app.merchant, id, 'x')).json.code).toBe('SVC-7002')
      const unknown = await app.merchant.api(`/strings/${id}`)
      expect([unknown.status, unknown.json.code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  it('returns 401 and 404 for an unknown instance in the flat shape too', async () => {
    const wrong = await app.call('/c/api/instances/default/strings')
    expect([wrong.status, wrong.json.code]).toEqual([401, 'UNAUTHORIZED'])
    const headers = { authorization: basic(`${app.merchant.secretKey}:`) }
    const unknown = await app.call('/c/api/instances/nope/strings', { headers })
    expect([unknown.status, unknown.json]).toEqual([
      404,
      { code: 'NOT_FOUND', message: 'Instance not found' },
    ])
  })

  it('accepts plural forms that English lacks', async () => {
    const merchant = await app.newMerchant()
    const { json } = await put(merchant, 'status.fields_few', '{count} pola', { language: 'pl' })
    expect(json.string.text).toBe('{count} pola')
  })
})

describe('inheritance', () => {
  it('prefers the language, and within it the branding', async () => {
    const merchant = await app.newMerchant()
    await brandings(merchant, ['kids'])
    const af = (branding = '') =>
      read(merchant, TITLE, `?language=af${branding && `&branding=${branding}`}`)
    expect((await af('kids')).text).toBe(BASE[TITLE])
    for (const [text, scope] of [
      ['base', {}],
      ['kids base', { branding: 'kids' }],
      ['af', { language: 'af' }],
      ['kids af', { language: 'af', branding: 'kids' }],
    ] as const) {
      await put(merchant, TITLE, text, scope)
      expect((await af('kids')).text).toBe(text)
    }
    expect(await af('kids')).toEqual({
      id: TITLE,
      text: 'kids af',
      language: 'af',
      branding: 'kids',
      overriding: 'af',
    })
    expect((await af()).text).toBe('af')
  })

  it('does not affect other merchants', async () => {
    const merchant = await app.newMerchant()
    const other = await app.newMerchant()
    await put(merchant, TITLE, 'mine')
    expect((await read(other, TITLE)).text).toBe(BASE[TITLE])
  })
})

describe('the list', () => {
  it('returns every string in order, with sets, languages and pages', async () => {
    const { json } = await app.merchant.api('/strings?limit=1000')
    const ids = Object.keys(BASE).filter(canBeOverridden)
    expect(json.strings.map(({ id }: { id: string }) => id)).toEqual(
      ids.toSorted((a, b) => (a < b ? -1 : 1)),
    )
    expect(json.meta).toMatchObject({ limit: 1000, offset: 0, total: ids.length })
    expect(new Set(json.meta.sets)).toEqual(new Set(ids.map((id) => id.split('.')[0])))
    const second = (await app.merchant.api('/strings?limit=2&offset=2')).json
    expect(second.strings).toEqual(json.strings.slice(2, 4))
    expect((await app.merchant.api('/strings')).json.strings).toHaveLength(20)
    const consent = (await app.merchant.api('/strings?set=consent&limit=100')).json.strings
    expect(consent.every(({ id }: { id: string }) => id.startsWith('consent.'))).toBe(true)
  })

  it('filters by overridden', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, TITLE, 'x')
    const ids = async (overridden: string) =>
      (await merchant.api(`/strings?overridden=${overridden}&limit=1000`)).json.strings.map(
        ({ id }: { id: string }) => id,
      )
    expect(await ids('Y')).toEqual([TITLE])
    expect(await ids('N')).not.toContain(TITLE)
  })

  it.each([
    'limit=0',
    'limit=1001',
    'offset=-1',
    'limit=x',
    'overridden=maybe',
    'limit=1000&offset=4001',
    'language=xx',
    'branding=nope',
    'set=nope',
    'set=sign_in',
    'set=',
  ])('refuses %s', async (query) => {
    const { status, json } = await app.merchant.api(`/strings?${query}`)
    expect(status).toBe(400)
    expect(json.code).toMatch(/^SVC-700[1234]$/)
  })
})

describe('languages', () => {
  const offered = async (merchant: Merchant) =>
    (await merchant.api('/strings?limit=1')).json.meta.languages

  it('are added with their first string and removed with their last', async () => {
    const merchant = await app.newMerchant()
    expect(await offered(merchant)).not.toContain('af')
    for (const [text, isOffered] of [
      [BASE[TITLE] as string, false],
      ['Hoe om te betaal', true],
      [BASE[TITLE] as string, false],
    ] as const) {
      await put(merchant, TITLE, text, { language: 'af' })
      expect((await offered(merchant)).includes('af')).toBe(isOffered)
    }
  })

  it('are limited by the instance’s list', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, TITLE, 'Hoe om te betaal', { language: 'af' })
    await change(merchant, { languages: ['af'] })
    expect(await offered(merchant)).toEqual(['default', 'af'])
  })

  it('are used for a payer who requests them', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, TITLE, 'Hoe om te betaal', { language: 'af' })
    const link = await newLink(merchant)
    const page = (headers: Record<string, string>, query = '') =>
      app.call(`/pay/${link.id}${query}`, { headers })
    expect((await page({ 'accept-language': 'af-ZA,en;q=0.5' })).text).toContain('Hoe om te betaal')
    expect((await page({ 'accept-language': 'en-GB,af;q=0.5' })).text).not.toContain(
      'Hoe om te betaal',
    )
    expect((await page({}, '?lang=af')).text).toContain('lang="af"')
    const opened = await app.call(`/pay/${link.id}/checkouts`, { body: { language: 'af' } })
    expect(opened.json.checkout).toMatchObject({ language: 'af', direction: 'ltr' })
  })
})

describe('a batch', () => {
  it('returns the items in their order, with repeats, as they now resolve', async () => {
    const merchant = await app.newMerchant()
    // A missing language, null and default mean the same.
    const { status, json } = await post(merchant, [
      { id: TITLE, text: 'first' },
      { id: PAY, text: 'Give', language: null },
      { id: TITLE, text: 'last', language: 'default' },
    ])
    expect(status).toBe(200)
    expect(json.strings.map(({ id, text }: { id: string; text: string }) => [id, text])).toEqual([
      [TITLE, 'last'],
      [PAY, 'Give'],
      [TITLE, 'last'],
    ])
    expect((await post(merchant, [])).json).toEqual({ strings: [] })
  })

  it.each([
    ['an unknown set', { id: 'nope.x', text: 'x' }, 'SVC-7002'],
    ['an unknown name', { id: 'receipt.nope', text: 'x' }, 'SVC-7002'],
    ['another language', { id: PAY, text: 'x', language: 'fr' }, 'SVC-7005'],
    ['another branding', { id: PAY, text: 'x', branding: 'kids' }, 'SVC-7005'],
    ['a bad placeholder', { id: PAY, text: '{x}' }, 'SVC-7007'],
  ])('with %s is refused whole, before anything is written', async (_what, item, code) => {
    const merchant = await app.newMerchant()
    const { status, json } = await post(merchant, [
      { id: TITLE, text: 'x', language: 'default' },
      item,
    ])
    expect([status, json.code]).toEqual([400, code])
    expect((await read(merchant, TITLE)).text).toBe(BASE[TITLE])
  })

  it('returns each of very many items', async () => {
    const merchant = await app.newMerchant()
    const items = Array.from({ length: 20_000 }, (_, i) => ({ id: TITLE, text: `t${i}` }))
    const { status, json } = await post(merchant, items)
    expect([status, json.strings.length, json.strings[0].text]).toEqual([200, 20_000, 't19999'])
    const more = await post(merchant, [...items, { id: TITLE, text: 'x' }])
    expect([more.status, more.json.code]).toEqual([400, 'SVC-7001'])
    expect(more.json.message).toBe('strings must have at most 20000 members')
  })

  it('refuses repeats that would make a response of gigabytes', async () => {
    const merchant = await app.newMerchant()
    await brandings(merchant, ['kids'])
    const short = Array.from({ length: 999 }, () => ({ id: TITLE, text: 'x' }))
    const long = { id: TITLE, text: 'x'.repeat(20_000) }
    const message = 'strings must not repeat ids with long texts so often'
    expect((await post(merchant, [...short, long])).json).toEqual({ code: 'SVC-7001', message })
    expect((await post(merchant, [long, long])).status).toBe(200)
    const inKids = short.map((item) => ({ ...item, branding: 'kids' }))
    expect((await post(merchant, inKids)).json).toEqual({ code: 'SVC-7001', message })
  })

  it('that fails at the third set keeps the first two and can be sent again', async () => {
    const merchant = await app.newMerchant()
    const batch = [
      { id: TITLE, text: 'one' },
      { id: PAY, text: 'two' },
      { id: 'card.code', text: 'three' },
    ]
    const texts = async () =>
      Promise.all(batch.map(async ({ id }) => (await read(merchant, id)).text))
    let sets = 0
    const failpoint = vi.spyOn(deps, 'failpoint').mockImplementation((name) => {
      if (name === 'strings-set-stored') sets += 1
      if (sets === 2) throw new Error('planted')
    })
    const failed = await post(merchant, batch)
    expect([failed.status, failed.json]).toEqual([
      500,
      { code: 'INTERNAL', message: 'Internal server error' },
    ])
    failpoint.mockRestore()
    expect(await texts()).toEqual(['one', 'two', BASE['card.code']])
    expect((await post(merchant, batch)).status).toBe(200)
    expect(await texts()).toEqual(['one', 'two', 'three'])
  })

  it('is limited to ten megabytes, also without Content-Length', async () => {
    const headers = { 'content-type': 'application/json' }
    const limit = 9_999_999
    const fill = (bytes: number) => {
      const shell = JSON.stringify({ strings: [] })
      return shell.slice(0, -2) + ' '.repeat(bytes - shell.length) + shell.slice(-2)
    }
    expect((await app.merchant.api('/strings', { raw: fill(limit), headers })).json).toEqual({
      strings: [],
    })
    const tooLarge = await app.merchant.api('/strings', { raw: fill(limit + 1), headers })
    expect([tooLarge.status, tooLarge.json.code]).toEqual([400, 'SVC-7006'])
    const chunk = new TextEncoder().encode(' '.repeat(1_000_000))
    let sent = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        if (sent > 11) controller.close()
        else controller.enqueue(chunk)
      },
    })
    const chunked = await app.merchant.api('/strings', { raw: stream, headers })
    expect(chunked.json.code).toBe('SVC-7006')
  })
})

describe('writes to one branding', () => {
  it('run one after another, time out after ten seconds, and then store nothing', async () => {
    const merchant = await app.newMerchant()
    await brandings(merchant, ['kids'])
    const release = holdWrites(merchant, '')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const waiting = put(merchant, TITLE, 'late')
      // Another branding and a read do not wait.
      expect((await put(merchant, TITLE, 'kids', { branding: 'kids' })).status).toBe(200)
      expect((await read(merchant, TITLE)).text).toBe(BASE[TITLE])
      await vi.advanceTimersByTimeAsync(10_000)
      const { status, json, headers } = await waiting
      expect([status, json.code, headers.get('retry-after')]).toEqual([400, 'SVC-7059', '1'])
      expect(deps.security.counts().get('strings_queue_refused')).toBe(1)
      expect(app.logged()).toMatch(
        new RegExp(`"event":"strings_queue_refused","instance":"${merchant.instance.id}"`),
      )
    } finally {
      vi.useRealTimers()
      await release()
    }
    expect((await read(merchant, TITLE)).text).toBe(BASE[TITLE])
    expect((await put(merchant, TITLE, 'now')).status).toBe(200)
  })

  it('are refused when the branding is deleted while they wait', async () => {
    const merchant = await app.newMerchant()
    await brandings(merchant, ['kids'])
    const release = holdWrites(merchant, 'kids')
    const waiting = put(merchant, PAY, 'Give', { branding: 'kids' })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await brandings(merchant, [])).status).toBe(200)
    await release()
    const { status, json } = await waiting
    expect([status, json.code]).toEqual([400, 'SVC-7004'])
    expect((await brandings(merchant, ['kids'])).status).toBe(200)
    expect((await read(merchant, PAY, '?branding=kids')).text).toBe(BASE[PAY])
  })

  it('of many brandings do not block other requests', async () => {
    const merchant = await app.newMerchant()
    const keys = Array.from({ length: 30 }, (_, i) => `b${i}`)
    await brandings(merchant, keys)
    // Not all: on a busy machine the last branding would time out.
    const strings = (branding: string) =>
      Object.keys(BASE)
        .filter(canBeOverridden)
        .slice(0, 40)
        .map((id) => ({ id, text: 'x', branding }))
    const responses = await Promise.all([
      ...keys.map((key) => post(merchant, strings(key))),
      ...Array.from({ length: 10 }, () => newLink(merchant).then(() => ({ status: 200 }))),
    ])
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  }, 30_000)

  it('are all kept when many are concurrent', async () => {
    const merchant = await app.newMerchant()
    const ids = Object.keys(BASE).filter(canBeOverridden).slice(0, 20)
    await Promise.all(ids.map((id) => put(merchant, id, 'x')))
    const { json } = await merchant.api('/strings?overridden=Y&limit=100')
    expect(json.meta.total).toBe(20)
  })
})

const storedBundles = async (words: string) =>
  (
    await deps.db
      .selectFrom('bundles')
      .select('key')
      .where('strings', 'like', `%${words}%`)
      .execute()
  ).length

describe('an open session', () => {
  it('keeps its strings through changes, and a new session has the new ones', async () => {
    const merchant = await app.newMerchant()
    const link = await newLink(merchant)
    const before = await openPayerClient(app, link.id)
    await put(merchant, TITLE, 'Changed')
    const kept = (await before.current()).json.checkout
    expect([kept.strings[TITLE], kept.strings_hash]).toEqual([
      BASE[TITLE],
      before.checkout.strings_hash,
    ])
    await change(merchant, { name: 'Renamed' })
    expect((await before.current()).json.checkout.merchant).toBe('Corner Shop')
    const after = await openPayerClient(app, link.id)
    expect(after.checkout.merchant).toBe('Renamed')
    expect(after.checkout.strings[TITLE]).toBe('Changed')
    expect(after.checkout.strings_hash).not.toBe(before.checkout.strings_hash)
    await before.payByCard(CARDS.approve)
    expect((await before.current()).json.checkout.strings[TITLE]).toBe(BASE[TITLE])
  })

  it('shares its bundle with sessions on the same strings', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, TITLE, 'Shared words')
    const link = await newLink(merchant)
    for (let i = 0; i < 5; i += 1) await openPayerClient(app, link.id)
    expect(await storedBundles('Shared words')).toBe(1)
  })
})

it('opening a session with cached strings takes one read, and inserts it, its event and its count', async () => {
  const link = await newLink(app.merchant)
  const { db, take } = recordStatements(deps)
  const open = () => openCheckout({ ...deps, db }, { paymentLink: link.id }, {}, {})
  await open()
  take()
  await open()
  const kinds = take().map(({ query }) => query.kind)
  expect(kinds).toEqual(['SelectQueryNode', ...Array<string>(3).fill('InsertQueryNode')])
})

describe('an unused bundle', () => {
  it('is deleted, and stored again when a session needs it', async () => {
    const merchant = await app.newMerchant()
    await put(merchant, TITLE, 'Soon forgotten')
    const link = await newLink(merchant)
    const stored = () => storedBundles('Soon forgotten')
    await openPayerClient(app, link.id)
    app.pass(86_400_000)
    await pruneBundles(deps)
    expect(await stored()).toBe(1)
    // The session still has it.
    app.pass(86_400_001)
    await pruneBundles(deps)
    expect(await stored()).toBe(1)
    await closeExpiredSessions(deps)
    app.pass(31 * 86_400_000)
    await pruneCheckouts(deps)
    await pruneBundles(deps)
    expect(await stored()).toBe(0)
    const payer = await openPayerClient(app, link.id)
    expect(await stored()).toBe(1)
    expect((await payer.current()).json.checkout.strings[TITLE]).toBe('Soon forgotten')
  })
})

describe('brandings', () => {
  it('are chosen by the link’s channel, with their own name and strings', async () => {
    const merchant = await app.newMerchant()
    await brandings(merchant, ['kids', 'pro'])
    await put(merchant, TITLE, 'Kids pay like this', { branding: 'kids' })
    const link = await newLink(merchant, { amount: '1.00', channel: 'kids-web' })
    const payer = await openPayerClient(app, link.id)
    expect(payer.checkout).toMatchObject({ branding: 'kids' })
    expect(payer.checkout.strings[TITLE]).toBe('Kids pay like this')
    expect((await app.call(`/pay/${link.id}`)).text).toContain('Shop kids')
    const unknown = await merchant.api('/payment_links', {
      body: { payment_link: { options: { channel: 'nope' } } },
    })
    expect(unknown.json.error.message).toBe(
      'payment_link.options.channel must be kids-web or pro-web',
    )
  })

  it('may be requested for a session', async () => {
    const merchant = await app.newMerchant()
    await brandings(merchant, ['kids'])
    const link = await newLink(merchant)
    const open = (branding: string) => app.call(`/pay/${link.id}/checkouts`, { body: { branding } })
    expect((await open('kids')).json.checkout.branding).toBe('kids')
    expect((await open('nope')).status).toBe(400)
  })

  it('with strings are not deleted by accident', async () => {
    const merchant = await app.newMerchant()
    await brandings(merchant, ['kids'])
    await put(merchant, TITLE, 'x', { branding: 'kids' })
    const refused = await brandings(merchant, ['pro'])
    expect([refused.status, refused.json.error.message]).toEqual([
      400,
      'instance.brandings removes kids, which has strings; send force: true',
    ])
    expect((await brandings(merchant, ['pro'], { force: true })).status).toBe(200)
    await brandings(merchant, ['kids'])
    expect((await read(merchant, TITLE, '?branding=kids')).text).toBe(BASE[TITLE])
  })
})
