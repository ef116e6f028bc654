import { describe, expect, it, vi } from 'vitest'
import { BASE, basic, startTestApp } from '../../test/app.ts'
import { consoleOf } from '../../test/console-session.ts'
import {
  approve,
  newBrowser,
  newPlatform,
  newUser,
  NAVIGATION,
  openConsole,
  PASSWORD,
  signedInBrowser,
} from '../../test/oauth.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 30_000 })

const CONSOLE = 'http://console.test'
const LINKS = '/c/api/instances/default/payment_links'

describe('a console on a host of its own', async () => {
  const app = await startTestApp({ CONSOLE_URL: CONSOLE })
  const { merchant, email } = await newUser(app)
  const atConsole = {
    ...app,
    call: ((path, call = {}) =>
      app.call(path, {
        ...call,
        headers: { host: 'console.test', ...call.headers },
      })) as typeof app.call,
  }
  const browser = newBrowser(atConsole)
  const signedIn = await browser.submit('/sign-in', { email, password: PASSWORD })
  const call = await consoleOf(atConsole, browser, CONSOLE)

  it('leads from sign-in to the console there', async () => {
    expect(signedIn.headers.get('location')).toBe(`${CONSOLE}/console`)
    expect((await openConsole(browser))?.user.email).toBe(email)
    expect((await call(LINKS)).status).toBe(200)
  })

  it.each([
    ['the host', { host: 'shop.test' }],
    ['the token', { 'checkstand-console': '' }],
    ['the cookie', { cookie: '' }],
    ['the same site', { 'sec-fetch-site': 'same-site' }],
    ['the origin', { origin: BASE }],
    ['no other credentials', { authorization: basic('sk_test_wrong:') }],
  ])('opens the API to nothing without %s', async (_what, headers) => {
    expect((await call(LINKS, { method: 'POST', headers, body: {} })).status).toBe(401)
    const own = await call('/console/step_up', { method: 'POST', headers, body: {} })
    expect(own.status).toBe('host' in headers ? 421 : 401)
  })

  it.each(['/console', '/console?tab=paid', '/sign-in', '/oauth/authorize?a=b'])(
    'is where a browser is sent that opens %s elsewhere',
    async (path) => {
      const sent = await app.call(path, { headers: NAVIGATION })
      expect([sent.status, sent.headers.get('location')]).toEqual([303, `${CONSOLE}${path}`])
    },
  )

  it.each([
    ['POST', '/sign-in', 'shop.test'],
    ['POST', '/console/step_up', 'shop.test'],
    ['POST', '/oauth/authorize', 'shop.test'],
    ['GET', '/pay/pl_1_x', 'console.test'],
    ['POST', '/pay/pl_1_x/checkouts', 'console.test'],
    ['GET', '/go/dl_1_x', 'console.test'],
    ['GET', '/widget.js', 'console.test'],
  ])('and the payer’s page never share one: %s %s is not on %s', async (method, path, host) => {
    const refused = await app.call(path, { method, headers: { host } })
    expect(refused.status).toBe(421)
  })

  it('shows the QR codes of links', async () => {
    const body = { payment_link: { options: { amount: '1.00', currency: 'EUR' } } }
    const { id, url } = (await merchant.api('/payment_links', { body })).json.payment_link
    expect(url).toBe(`${BASE}/pay/${id}`)
    const shown = await app.call(`/pay/${id}/qr.svg`, { headers: { host: 'console.test' } })
    expect([shown.status, shown.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('image/svg+xml'),
    ])
  })

  it('leaves the API to secret keys on both', async () => {
    expect((await merchant.api('/payment_links')).status).toBe(200)
    const headers = { host: 'console.test' }
    expect((await merchant.api('/payment_links', { headers })).status).toBe(200)
    expect((await app.call('/openapi.json')).status).toBe(200)
  })
})

describe('a policy of second factors', () => {
  it('for live instances leaves test instances alone', async () => {
    const app = await startTestApp({ REQUIRE_MFA: 'live' })
    const { email, merchant } = await newUser(app)
    const browser = await signedInBrowser(app, email)
    const call = await consoleOf(app, browser)
    expect((await openConsole(browser))?.session.missingFactor).toBe('live')
    const headers = { authorization: basic(`${email}:${PASSWORD}`) }
    expect((await call(LINKS)).status).toBe(200)
    expect((await app.call(LINKS, { headers })).status).toBe(200)
    const { db, security } = app.checkstand.deps
    await db
      .updateTable('instances')
      .set({ mode: 'LIVE' })
      .where('id', '=', merchant.instance.id)
      .execute()
    for (const answer of [await call(LINKS), await app.call(LINKS, { headers })]) {
      expect([answer.status, answer.json.error.type]).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
    }
    expect(security.counts().get('second_factor_missing')).toBe(2)
    expect((await merchant.api('/payment_links')).status).toBe(200)
    // What a user needs in order to add one.
    expect((await call('/c/api/instances/default/whoami')).status).toBe(200)
    expect((await call('/console/factors')).json.factors).toMatchObject({
      policy: 'live',
      missing: true,
    })
  })

  it('for all keeps a user from approving platforms, and from removing their only factor', async () => {
    const app = await startTestApp({ REQUIRE_MFA: 'always' })
    const { email } = await newUser(app)
    const platform = await newPlatform(app)
    await expect(approve(app, email, platform.request())).rejects.toThrow('Invalid URL')
    const call = await consoleOf(app, await signedInBrowser(app, email))
    expect((await call(LINKS)).json.error.type).toBe('SECOND_FACTOR_REQUIRED')
    const removed = await call('/console/factors/totp', { method: 'DELETE' })
    expect(removed.json.error.message).toContain('requires a second factor')
  })
})

it('asks a session that archives more than twenty links in ten minutes who its user is', async () => {
  const app = await startTestApp()
  const { email, merchant } = await newUser(app)
  const call = await consoleOf(app, await signedInBrowser(app, email))
  const body = { payment_link: { options: { amount: '1.00', currency: 'EUR' } } }
  const ids: string[] = []
  for (let n = 0; n < 22; n += 1) {
    ids.push((await merchant.api('/payment_links', { body })).json.payment_link.id)
  }
  app.pass(10 * 60_000)
  const statuses: number[] = []
  for (const id of ids) statuses.push((await call(`${LINKS}/${id}`, { method: 'DELETE' })).status)
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 204), 403, 403])
  await call('/console/step_up', { method: 'POST', body: { step_up: { password: PASSWORD } } })
  expect((await call(`${LINKS}/${ids[21]}`, { method: 'DELETE' })).status).toBe(204)
})

it('slows down a session that sends more than 600 requests a minute, and no other', async () => {
  const app = await startTestApp({ API_RATE: '6000' })
  const { email } = await newUser(app)
  const [one, two] = [await signedInBrowser(app, email), await signedInBrowser(app, email)]
  const [call, other] = [await consoleOf(app, one), await consoleOf(app, two)]
  const path = '/c/api/instances/default/whoami'
  for (let n = 0; n < 600; n += 1) await call(path)
  expect((await call(path)).status).toBe(429)
  expect((await other(path)).status).toBe(200)
})
