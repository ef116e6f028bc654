import { describe, expect, it } from 'vitest'
import { setInstanceDisabled } from '../instances/store.ts'
import { createApp } from '../app.ts'
import { BASE, type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { createPageCache } from './page-cache.ts'

const app = await startTestApp()
const OPTIONS = { amount: '12.50', currency: 'EUR', name: 'Tea' }

const open = (id: string, query = '', headers: Record<string, string> = {}) =>
  app.call(`/pay/${id}${query}`, { headers })

/** Changes after which a cached page is stale. */
const CHANGES: [string, (merchant: Merchant, link: string) => Promise<unknown>][] = [
  [
    'its options are edited',
    ({ api }, link) =>
      api(`/payment_links/${link}`, {
        method: 'PUT',
        body: { mode: 'PATCH', payment_link: { options: { amount: '13.00' } } },
      }),
  ],
  [
    'it gets a time to expire',
    ({ api }, link) =>
      api(`/payment_links/${link}`, {
        method: 'PUT',
        body: { payment_link: { expires: new Date(app.now() + 3_600_000).toISOString() } },
      }),
  ],
  [
    'a string is saved',
    ({ api }) =>
      api('/strings/checkout.pay', { method: 'PUT', body: { string: { text: 'Off you go' } } }),
  ],
  ['the instance gets a theme', ({ api }) => settings(api, { theme: { accent: '#aa0033' } })],
  [
    'another origin is allowed',
    ({ api }) => settings(api, { allowed_origins: ['https://shop.example'] }),
  ],
  ['it is archived', ({ api }, link) => api(`/payment_links/${link}`, { method: 'DELETE' })],
  [
    'its instance is disabled',
    ({ instance }) =>
      app.checkstand.deps.db
        .transaction()
        .execute((tx) => setInstanceDisabled(tx, instance.id, '2026-01-01T00:00:00.000Z')),
  ],
  [
    'a payment begins',
    async (_merchant, link) => (await openPayerClient(app, link)).payByCard(CARDS.challenge),
  ],
  [
    'it is paid',
    async (_merchant, link) => (await openPayerClient(app, link)).payByCard(CARDS.approve),
  ],
]

function settings(api: Merchant['api'], instance: Record<string, unknown>) {
  return api('', { method: 'PUT', body: { instance } })
}

it.each(CHANGES)('renders the page again when %s', async (_what, change) => {
  const merchant = await app.newMerchant()
  const { id } = await newLink(merchant, OPTIONS)
  const before = await open(id)
  expect(before.status).toBe(200)
  expect((await open(id)).text).toBe(before.text)
  const changed = await change(merchant, id)
  expect((changed as { status?: number }).status ?? 200, JSON.stringify(changed)).toBeLessThan(300)
  const after = await open(id)
  const policy = (answer: typeof before) => answer.headers.get('content-security-policy')
  expect([after.text, policy(after)]).not.toEqual([before.text, policy(before)])
  // Equal to the page of a server with an empty cache.
  const { app: another } = createApp(app.checkstand.deps, app.checkstand.parts)
  const fresh = await another.request(`${BASE}/pay/${id}`)
  expect(after.text).toBe(await fresh.text())
})

it('keeps pages apart by language, branding, frame and link', async () => {
  const merchant = await app.newMerchant()
  await settings(merchant.api, { brandings: [{ key: 'night', name: 'Night Shop' }] })
  const [one, other] = [await newLink(merchant, OPTIONS), await newLink(merchant, OPTIONS)]
  const framed = { 'sec-fetch-dest': 'iframe' }
  const pages = [
    await open(one.id),
    await open(other.id),
    await open(one.id, '', { 'accept-language': 'fr' }),
    await open(one.id, '?lang=ar'),
    await open(one.id, '?branding=night'),
    await open(one.id, '', framed),
    await open(one.id, '?theme=dark', framed),
  ]
  // Query parameters cannot address another cached page.
  for (const theme of ['whole', 'framed/', 'x whole']) {
    const link = await newLink(merchant, OPTIONS)
    const drawn = await open(link.id, `?theme=${encodeURIComponent(theme)}`, framed)
    expect((await open(link.id)).text).not.toBe(drawn.text)
  }
  expect(new Set(pages.map(({ text }) => text)).size).toBe(pages.length)
  for (const page of pages.filter((page) => page !== pages[1])) {
    expect(page.text).not.toContain(other.id)
  }
})

describe('the page cache', () => {
  const page = (html: string) => ({ html, policy: 'none' })
  const text = async (drawn: ReturnType<ReturnType<typeof createPageCache>>) =>
    new TextDecoder().decode(await (await drawn).packed('identity'))

  it('renders once for concurrent requests, and again after a failure', async () => {
    const drawn = createPageCache()
    let times = 0
    const draw = async () => {
      times += 1
      if (times === 1) throw new Error('no ink')
      return page(`drawn ${times}`)
    }
    await expect(drawn('a', draw)).rejects.toThrow('no ink')
    const together = await Promise.all([text(drawn('a', draw)), text(drawn('a', draw))])
    expect(together).toEqual(['drawn 2', 'drawn 2'])
    expect(await text(drawn(undefined, draw))).toBe('drawn 3')
  })

  it('drops the least recently used page', async () => {
    const drawn = createPageCache()
    const visit = (name: string, html: string) => text(drawn(name, async () => page(html)))
    await visit('kept', 'old')
    await visit('forgotten', 'old')
    for (let n = 0; n < 248; n += 1) await visit(`other ${n}`, 'other')
    await visit('kept', 'new')
    await visit('one more', 'other')
    expect(await visit('kept', 'new')).toBe('old')
    expect(await visit('forgotten', 'new')).toBe('new')
  })
})
