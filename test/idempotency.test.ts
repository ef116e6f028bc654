import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from './app.ts'
import { CARDS } from './cards.ts'
import { openPaymentsClient } from './payments-client.ts'
import { cardToken } from './payer-client.ts'

const app = await startTestApp()

/** A request of a merchant, and another one to the same address. */
interface Example {
  path: string
  body: object
  other: object
}

const URL = 'https://shop.example/hooks'
const webhook = async ({ api }: Merchant) =>
  (await api('/instance_webhooks', { body: { instance_webhook: { url: URL, events: ['*'] } } }))
    .json.instance_webhook.id as string

/** One request for every POST of the merchant's API: a new route needs an entry here. */
const EXAMPLES: Record<string, (merchant: Merchant) => Promise<Example>> = {
  '/accounts': async () => ({
    path: '/accounts',
    body: { account: { crm_key: 'a' } },
    other: { account: { crm_key: 'b' } },
  }),
  '/payment_links': async () => ({
    path: '/payment_links',
    body: { payment_link: {} },
    other: { payment_link: { state: 'other' } },
  }),
  '/strings': async () => ({
    path: '/strings',
    body: { strings: [{ id: 'methods.title', text: 'How' }] },
    other: { strings: [{ id: 'methods.title', text: 'Which way' }] },
  }),
  '/payments': async () => {
    const payment = {
      amount: '1.00',
      payment_method: { token: await cardToken(app, CARDS.approve) },
    }
    return {
      path: '/payments',
      body: { payment },
      other: { payment: { ...payment, amount: '2.00' } },
    }
  },
  '/payments/:payment_id/capture': async (merchant) => {
    const { id } = await openPaymentsClient(app, merchant).authorise()
    return {
      path: `/payments/${id}/capture`,
      body: { capture: { amount: '1.00' } },
      other: { capture: { amount: '2.00' } },
    }
  },
  '/payments/:payment_id/refund': async (merchant) => {
    const { id } = await openPaymentsClient(app, merchant).pay()
    return {
      path: `/payments/${id}/refund`,
      body: { refund: { amount: '1.00' } },
      other: { refund: { amount: '2.00' } },
    }
  },
  '/payments/:payment_id/void': async (merchant) => {
    const { id } = await openPaymentsClient(app, merchant).authorise()
    return { path: `/payments/${id}/void`, body: {}, other: { void: {} } }
  },
  '/instance_webhooks': async () => {
    const instance_webhook = { url: URL, events: ['payment.*'] }
    return {
      path: '/instance_webhooks',
      body: { instance_webhook },
      other: { instance_webhook: { ...instance_webhook, events: ['*'] } },
    }
  },
  '/instance_webhooks/:id/rotate': async (merchant) => {
    const path = `/instance_webhooks/${await webhook(merchant)}/rotate`
    // It takes nothing, so another request differs by a blank alone.
    return { path, body: {}, other: {} }
  },
  '/instance_webhooks/:id/replay': async (merchant) => ({
    path: `/instance_webhooks/${await webhook(merchant)}/replay`,
    body: { replay: { type: '*' } },
    other: { replay: { type: 'account.*' } },
  }),
  '/sandbox/clock': async () => ({
    path: '/sandbox/clock',
    body: { clock: { advance: 'P1D' } },
    other: { clock: { advance: 'P2D' } },
  }),
}

const posts = [
  ...new Set(
    app.checkstand.mounts
      .filter(({ security }) => security !== 'none')
      .flatMap(({ routes }) => routes.filter(({ method }) => method === 'post'))
      .map(({ path }) => path),
  ),
].toSorted()

describe('every POST of the merchant’s API', () => {
  it('has an example here, and every example is of a route', () => {
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(posts)
  })

  it.each(posts)('%s acts once under an Idempotency-Key', async (route) => {
    const merchant = await app.newMerchant()
    const example = await EXAMPLES[route]?.(merchant)
    if (!example) throw new Error(`${route} has no example`)
    const send = (body: object, key: string, space = '') =>
      merchant.api(example.path, {
        raw: JSON.stringify(body) + space,
        headers: { 'idempotency-key': key, 'content-type': 'application/json' },
      })
    const first = await send(example.body, 'key')
    expect(first.status, first.text).toBe(200)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const before = await rows(merchant)

    const again = await send(example.body, 'key')
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))

    const other = await send(example.other, 'key', ' ')
    expect([other.status, other.json.code ?? other.json.error.type]).toEqual([422, 'IDEMPOTENCY'])
    expect(await rows(merchant)).toEqual(before)

    const another = await send(example.body, 'another-key')
    expect(another.headers.get('idempotent-replayed')).toBeNull()
  })

  it.each(posts)('%s refuses a key that is none', async (route) => {
    const merchant = await app.newMerchant()
    const example = await EXAMPLES[route]?.(merchant)
    const response = await merchant.api(example?.path ?? '', {
      body: example?.body,
      headers: { 'idempotency-key': 'zwölf' },
    })
    const { message, code } = response.json.error ?? response.json
    expect([response.status, message]).toEqual([
      400,
      'Idempotency-Key must be 1 to 255 printable ASCII characters',
    ])
    // Errors of the strings area are flat and carry a code.
    expect(code).toBe(route === '/strings' ? 'SVC-7001' : undefined)
  })
})

/** How many rows a merchant has of everything that a request could make. */
async function rows({ instance }: Merchant): Promise<Record<string, number>> {
  const tables = [
    'accounts',
    'payment_links',
    'strings',
    'payments',
    'refunds',
    'voids',
    'transactions',
    'webhook_endpoints',
    'deliveries',
    'events',
    'idempotency_keys',
  ] as const
  const counted = tables.map(async (table) => {
    const { count } = await app.checkstand.deps.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('instance_id', '=', instance.id)
      .executeTakeFirstOrThrow()
    return [table, count] as const
  })
  return Object.fromEntries(await Promise.all(counted))
}
