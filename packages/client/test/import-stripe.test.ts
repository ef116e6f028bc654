import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { listen } from '../../../test/listen.ts'
import { runCommandLine } from '../src/cli/run.ts'
import { majorUnits, planLink, type StripeItem, type StripeLink } from '../src/cli/stripe-links.ts'

const KEY = 'rk_test_only_stripe_sees_it'

const link = (id: string, more: Partial<StripeLink> = {}): StripeLink => ({
  id: `plink_${id}`,
  url: `https://buy.stripe.com/test_${id}`,
  active: true,
  livemode: false,
  after_completion: { hosted_confirmation: { custom_message: null }, redirect: null },
  metadata: {},
  automatic_tax: { enabled: false },
  phone_number_collection: { enabled: false },
  submit_type: 'auto',
  ...more,
})
const item = (price: Partial<StripeItem['price']>, more: Partial<StripeItem> = {}): StripeItem => ({
  description: 'Coffee',
  quantity: 1,
  price: { currency: 'eur', unit_amount: 2400, ...price },
  ...more,
})
const chosen = {
  unit_amount: null,
  custom_unit_amount: { preset: 1000, minimum: 500, maximum: null },
}
const monthly = { recurring: { interval: 'month', interval_count: 1 } }

describe('a Payment Link of Stripe', () => {
  const PLANS: [string, StripeLink, StripeItem[], object][] = [
    ['fixed', link('a'), [item({})], { name: 'Coffee', amount: '24.00', currency: 'EUR' }],
    ['of two', link('a'), [item({}, { quantity: 2 })], { name: '2 × Coffee', amount: '48.00' }],
    ['of yen', link('a'), [item({ currency: 'jpy', unit_amount: 500 })], { amount: '500' }],
    [
      'of several items',
      link('a'),
      [item({}), item({ unit_amount: 150 }, { description: 'Milk', quantity: 2 })],
      { name: 'Coffee, 2 × Milk', amount: '27.00' },
    ],
    [
      'with a number that the payer chooses',
      link('a'),
      [item({}, { adjustable_quantity: { enabled: true, maximum: 8 } })],
      { unit_amount: '24.00', quantity_max: 8 },
    ],
    [
      'with an amount that the payer chooses',
      link('a'),
      [item(chosen)],
      { default_amount: '10.00', amount_min: '5.00' },
    ],
    [
      'that recurs after a trial',
      link('a', { subscription_data: { trial_period_days: 14 } }),
      [item({ recurring: { interval: 'month', interval_count: 3 } })],
      { amount: '24.00', recurring: { frequency: 'MONTH', interval: 3, trial_days: 14 } },
    ],
    [
      'with a message',
      link('a', { after_completion: { hosted_confirmation: { custom_message: 'Thanks' } } }),
      [item({})],
      { page_success_message: 'Thanks' },
    ],
    [
      'that leads to the shop',
      link('a', { after_completion: { redirect: { url: 'https://shop.example/thanks?a=1' } } }),
      [item({})],
      { success_url: 'https://shop.example/thanks?a=1', skip_receipt: true },
    ],
  ]
  it.each(PLANS)('%s keeps what it says', (_case, from, items, options) => {
    expect(planLink(from, items)).toMatchObject({ slug: 'stripe-plink-a', options, lost: [] })
  })

  const LOST: [string, Partial<StripeLink>, string[]][] = [
    ['promotion codes', { allow_promotion_codes: true }, ['promotion codes']],
    ['metadata', { metadata: { order: '7' } }, ['metadata']],
    ['a tax', { automatic_tax: { enabled: true } }, ['automatic tax']],
    ['a button', { submit_type: 'donate' }, ['the button says Donate: change checkout.pay']],
    [
      'a placeholder',
      { after_completion: { redirect: { url: 'https://a.example/?s={CHECKOUT_SESSION_ID}&b=1' } } },
      ['the session id in the address after payment'],
    ],
  ]
  it.each(LOST)('with %s says what is lost', (_case, more, lost) => {
    expect(planLink(link('a', more), [item({})])).toMatchObject({ lost })
  })

  const REFUSED: [string, StripeLink, StripeItem[]][] = [
    ['is not active', link('a', { active: false }), []],
    ['has several currencies', link('a'), [item({}), item({ currency: 'usd' })]],
    ['has several items that recur', link('a'), [item(monthly), item({})]],
    ['costs nothing', link('a'), [item({ unit_amount: 0 })]],
    [
      'has been paid as often as it can be',
      link('a', { restrictions: { completed_sessions: { count: 5, limit: 5 } } }),
      [item({})],
    ],
  ]
  it.each(REFUSED)('that %s is not taken over', (why, from, items) => {
    expect(planLink(from, items)).toBe(why)
  })

  it('may be paid as often as it could still be paid', () => {
    const restrictions = { completed_sessions: { count: 3, limit: 10 } }
    expect(planLink(link('a', { restrictions }), [item({})])).toMatchObject({ maxUses: 7 })
  })

  it.each([
    [5, 'usd', '0.05'],
    [12_345, 'bhd', '12.345'],
    [500, 'isk', '5.00'],
    [7, 'mga', '7'],
  ])('%i of %s is %s', (amount, currency, text) => {
    expect(majorUnits(amount, currency)).toBe(text)
  })
})

describe('import stripe', () => {
  const LINKS = [
    link('1AbCdE', { url: 'https://buy.stripe.com/=one' }),
    link('2', { restrictions: { completed_sessions: { count: 0, limit: 3 } } }),
    link('3', { active: false }),
  ]
  const asked: string[] = []
  let [stripe, url, folder] = ['', '', '']
  const toServer: string[] = []

  beforeAll(async () => {
    const server = createServer((request: IncomingMessage, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://stripe')
      asked.push(request.headers.authorization ?? '')
      const [, , , id] = pathname.split('/')
      const after = LINKS.findIndex((each) => each.id === searchParams.get('starting_after'))
      // One a page, whatever is asked for.
      const data = id === undefined ? LINKS.slice(after + 1, after + 2) : [item({})]
      const has_more = id === undefined && after + 2 < LINKS.length
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ object: 'list', data, has_more }))
    })
    stripe = `http://127.0.0.1:${await listen(server)}`
    const app = await startTestApp()
    const checkstand = createAdaptorServer({
      fetch: async (request, env) => {
        toServer.push(
          JSON.stringify([request.url, [...request.headers], await request.clone().text()]),
        )
        return app.checkstand.fetch(request, env)
      },
    }) as Server
    url = `http://127.0.0.1:${await listen(checkstand)}`
    folder = await mkdtemp(join(tmpdir(), 'checkstand-import-'))
    vi.stubEnv('CHECKSTAND_KEY', app.merchant.secretKey)
    vi.stubEnv('CHECKSTAND_URL', url)
    vi.stubEnv('STRIPE_KEY', KEY)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const run = async (args: readonly string[]) => {
    let [out, err] = ['', '']
    const code = await runCommandLine(args, {
      signal: new AbortController().signal,
      write: (text) => (out += text),
      warn: (text) => (err += text),
    })
    return { code, out, err }
  }
  const importing = (...more: string[]) =>
    run(['import', 'stripe', '--stripe-api', stripe, '--out', join(folder, 'moved.csv'), ...more])
  const listed = async () =>
    JSON.parse((await run(['api', 'get', '/deep_links?order=slug', '--json'])).out).deep_links

  it('says at first what it would make', async () => {
    const { code, out } = await importing()
    expect([code, out]).toEqual([0, expect.stringContaining('24.00 EUR')])
    expect(out).toContain('not taken over: it is not active')
    expect(await listed()).toEqual([])
  })

  it('makes every link once, however often it runs', async () => {
    expect((await importing('--publish')).code).toBe(0)
    const made = await listed()
    expect(made).toMatchObject([
      { slug: 'stripe-plink-1abcde', max_uses: null, options: { amount: '24.00', name: 'Coffee' } },
      { slug: 'stripe-plink-2', max_uses: 3 },
    ])
    const file = await readFile(join(folder, 'moved.csv'), 'utf8')
    expect(file.split('\r\n')[1]).toBe(
      `"https://buy.stripe.com/=one","${made[0].url}","Coffee","24.00 EUR",""`,
    )
    expect((await importing('--publish')).code).toBe(0)
    expect(await listed()).toEqual(made)
    expect(await readFile(join(folder, 'moved.csv'), 'utf8')).toBe(file)
  })

  it('shows the key of Stripe to Stripe alone', async () => {
    expect(new Set(asked)).toEqual(new Set([`Bearer ${KEY}`]))
    expect(toServer.length).toBeGreaterThan(0)
    expect(toServer.filter((request) => request.includes(KEY))).toEqual([])
    expect(await readFile(join(folder, 'moved.csv'), 'utf8')).not.toContain(KEY)
  })

  it('takes a file in place of a key', async () => {
    const file = join(folder, 'links.json')
    const data = [
      { ...link('9'), line_items: { data: [item({ currency: 'jpy', unit_amount: 900 })] } },
    ]
    await writeFile(file, JSON.stringify({ object: 'list', data }))
    expect((await run(['import', 'stripe', '--file', file])).out).toContain('900 JPY')
  })

  it('says what Stripe says', async () => {
    const refusing = createServer((_request, response) =>
      response.writeHead(401).end(JSON.stringify({ error: { message: 'Invalid API Key' } })),
    )
    const address = `http://127.0.0.1:${await listen(refusing)}`
    const { code, err } = await run(['import', 'stripe', '--stripe-api', address])
    expect([code, err]).toEqual([1, 'Stripe answered 401: Invalid API Key\n'])
  })
})
