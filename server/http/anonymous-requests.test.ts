import { expect, it } from 'vitest'
import { basic, startTestApp } from '../../test/app.ts'

/** One more than the limit for `PAYER_RATE` 1 and static files. */
const TRIES = 11
/** Requests for tokens have a rate of their own, which no setting changes, and one more. */
const TOKEN_TRIES = 601
/** The same holds for what processors send. */
const NOTICE_TRIES = 6001

const triesOf = (path: string) => {
  if (/^\/oauth\/(token|revoke)$/.test(path)) return TOKEN_TRIES
  return path.startsWith('/processors/') ? NOTICE_TRIES : TRIES
}

it('every route without credentials and every rejected credential is rate limited', async () => {
  const app = await startTestApp({ PAYER_RATE: '1' })
  const routes = app.checkstand.routes.filter(({ path }) => !path.endsWith('*'))
  const requests = new Map(
    routes.map(({ method, path }) => {
      const name = method === 'ALL' ? 'PATCH' : method
      return [`${name} ${path.replace(/:\w+/g, 'x')}`, [name, path.replace(/:\w+/g, 'x')] as const]
    }),
  )
  requests.set('an unknown address', ['GET', '/nowhere'])
  const unlimited: string[] = []
  for (const [index, [route, [method, path]]] of [...requests].entries()) {
    const from = `203.0.${Math.floor(index / 250)}.${(index % 250) + 1}`
    let status = 0
    for (let tries = 0; tries < triesOf(path) && status !== 429; tries += 1) {
      const url = new URL(path, 'http://shop.test')
      const connection = { incoming: { socket: { remoteAddress: from } } }
      status = (await app.checkstand.fetch(new Request(url, { method }), connection)).status
    }
    if (status !== 429) unlimited.push(route)
  }
  expect(requests.size).toBeGreaterThan(100)
  expect(unlimited).toEqual(['GET /livez', 'GET /readyz'])
}, 120_000)

it('a caller with valid credentials does not count towards the limit of its address', async () => {
  const app = await startTestApp({ PAYER_RATE: '2' })
  const from = '203.0.113.1'
  const stranger = () => app.call('/c/api/payment_links', { from })
  expect([(await stranger()).status, (await stranger()).status]).toEqual([401, 401])
  const refused = await stranger()
  expect([refused.status, refused.json.error.type]).toEqual([429, 'TOO_MANY_REQUESTS'])
  expect(refused.headers.get('www-authenticate')).toBeNull()
  for (let turn = 0; turn < 5; turn += 1) {
    expect((await app.merchant.api('/payment_links', { from })).status).toBe(200)
  }
})

it('wrong keys count also while they are rate limited', async () => {
  const app = await startTestApp({ PAYER_RATE: '30' })
  const from = '203.0.113.1'
  const wrong = { authorization: basic(`sk_test_${'0123456789abcdef'.repeat(2)}:`) }
  const messages = new Set<string>()
  for (let n = 0; n < 40; n += 1) {
    const { json } = await app.call('/c/api/instances/default/accounts', { from, headers: wrong })
    messages.add(json.message ?? json.error.message)
  }
  expect([...messages]).toEqual([
    'Unauthorized',
    'Too many wrong credentials; try again later',
    'Too many requests; try again later',
  ])
})

it('a page renders the error as a page', async () => {
  const app = await startTestApp({ PAYER_RATE: '1' })
  const from = '203.0.113.1'
  await app.call('/sign-in', { from })
  const refused = await app.call('/sign-in', { from })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(refused.text).toMatch(/^<!doctype html>[^]*Too many requests/)
})
