import { existsSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { disableInstance } from '../../server/admin/disable-instance.ts'
import { RETRY_WINDOW_MS } from '../../server/oauth/refresh-token-grant.ts'
import {
  PASSWORD,
  locationOf,
  newBrowser,
  newCode,
  newPlatform,
  newTokens,
  newUser,
  signIn,
  withToken,
} from '../oauth.ts'
import { type SecurityEventFields } from '../../server/observe/security-events.ts'
import { ROOT } from '../../server/root.ts'
import {
  happen,
  newWebhook,
  startReceiver,
  LOCAL_RECEIVERS,
  deliverAll,
} from '../webhook-receiver.ts'
import { basic, startTestApp, type TestApp } from '../app.ts'
import { SECURITY_EVENTS, type SecurityEvent } from '../../server/security-event-types.ts'

/** Every kind of security event: what it takes, and that it is counted and logged with who and where. */

// Passwords are hashed slowly on purpose, and a busy machine is slower still.
vi.setConfig({ testTimeout: 60_000 })

let isDiskFull = false
const app = await startTestApp(
  { ...LOCAL_RECEIVERS, ALLOWED_HOSTS: 'shop.test' },
  { hasDiskSpace: () => !isDiskFull },
)
const secure = await startTestApp({ BASE_URL: 'https://pay.shop.test' })
const { deps } = app.checkstand
const { email, merchant } = await newUser(app)
const user = (
  await deps.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
).id
const instance = merchant.instance.id
const platform = await newPlatform(app)
const client = platform.id

let networks = 0
/** An address that nothing else was sent from. */
const newAddress = () => `203.0.${(networks += 1)}.7`

interface Provoked {
  /** The fields that the log line must have, with their values. */
  fields: SecurityEventFields
  /** Where it was recorded; the first app when left out. */
  on?: TestApp
}

const wrong = (from: string) =>
  app.call('/c/api/instances/default/accounts', {
    from,
    headers: { authorization: basic('sk_test_default_wrong:') },
  })
const readWith = (token: string, from: string) =>
  app.call('/c/api/accounts', { from, headers: { authorization: `Bearer ${token}` } })
const consent = () => platform.request()

/** A browser that is signed in and shows the consent page. */
async function consenting() {
  const browser = newBrowser(app)
  await signIn(browser, locationOf(await browser.get(consent())), email)
  return { browser, page: await browser.get(consent()) }
}

/** What a public client needs to exchange a code. */
const verifier = 'v'.repeat(43)
const challenge = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}

/** Kinds whose own tests show them, by the file that does. */
const SHOWN_BY: Partial<Record<SecurityEvent, string>> = {
  strings_queue_refused: 'server/strings/routes.test.ts',
  notice_refused: 'server/processor-connections/notice-routes.test.ts',
  card_number_refused: 'test/security/kept-texts.test.ts',
  real_number_in_sandbox: 'test/security/sandbox.test.ts',
  outbound_refused: 'server/webhooks/internal-address.test.ts',
  request_shed: 'server/http/server-limits.test.ts',
  connection_refused: 'server/http/server-limits.test.ts',
  credentials_refused: 'server/authentication/wrong-credentials.test.ts',
  password_delayed: 'server/users/verify-password.test.ts',
  password_queue_full: 'server/users/verify-password.test.ts',
  code_delayed: 'server/users/factors/second-factor.test.ts',
  second_factor_missing: 'server/users/factors/second-factor.test.ts',
  requests_limited: 'server/http/rate-limit.test.ts',
  declines_limited: 'server/card-testing/enforce-limits.test.ts',
  card_testing_suspected: 'server/card-testing/enforce-limits.test.ts',
  submit_refused: 'server/card-testing/enforce-limits.test.ts',
  client_address_unknown: 'test/security/requests.test.ts',
  list_too_large: 'server/http/list-reads.test.ts',
  list_too_slow: 'server/http/list-reads.test.ts',
  lists_waiting: 'server/http/list-reads.test.ts',
}

const PROVOKE: Partial<Record<SecurityEvent, () => Promise<Provoked>>> = {
  async unauthenticated() {
    const network = newAddress()
    expect((await wrong(network)).status).toBe(401)
    return { fields: { network, method: 'GET' } }
  },
  async credentials_locked_out() {
    const network = newAddress()
    for (let n = 0; n < 20; n += 1) await wrong(network)
    expect((await wrong(network)).status).toBe(429)
    return { fields: { network } }
  },
  async revoked_key_used() {
    const closed = await app.newMerchant()
    await disableInstance(deps, closed.instance.id)
    const network = newAddress()
    expect((await closed.api('/accounts', { from: network })).status).toBe(401)
    return { fields: { network } }
  },
  async key_address_refused() {
    const bound = { name: 'Bound', allowed_addresses: ['203.0.113.0/24'] }
    const { api, instance: own } = await app.newMerchant()
    const created = await api('/secret_keys', { body: { secret_key: bound } })
    const network = newAddress()
    const headers = { authorization: basic(`${created.json.secret_key.secret}:`) }
    const { status } = await app.call('/c/api/instances/default/accounts', {
      headers,
      from: network,
    })
    expect(status).toBe(403)
    return { fields: { network, instance: own.id, limit: 'allowed_addresses' } }
  },
  async token_refused() {
    const network = newAddress()
    expect((await readWith('at_made_up', network)).status).toBe(401)
    return { fields: { network } }
  },
  async scope_refused() {
    const modest = await newTokens(app, email, platform, { scope: 'charges:read' })
    const network = newAddress()
    expect((await readWith(modest.access_token, network)).status).toBe(403)
    return { fields: { network, instance, user, client, limit: 'accounts:read' } }
  },
  async role_refused() {
    const viewer = await newUser(app)
    await deps.db
      .updateTable('users')
      .set({ role: 'VIEWER' })
      .where('email', '=', viewer.email)
      .execute()
    const network = newAddress()
    const headers = { authorization: basic(`${viewer.email}:${PASSWORD}`) }
    const { status } = await app.call('/c/api/instances/default/accounts', {
      method: 'POST',
      headers,
      body: { account: {} },
      from: network,
    })
    expect(status).toBe(403)
    return { fields: { network, limit: 'accounts:write' } }
  },
  async sign_in_refused() {
    const browser = newBrowser(app)
    const page = await browser.get('/sign-in')
    const typed = { email: 'x@shop.example', password: PASSWORD }
    expect((await browser.send('/sign-in', page, typed)).status).toBe(400)
    return { fields: { route: '/sign-in', method: 'POST' } }
  },
  async form_refused() {
    const { browser } = await consenting()
    const fields = { token: 'made up', decision: 'approve', instance: 'default' }
    const network = newAddress()
    expect((await browser.post(consent(), fields, { from: network })).status).toBe(403)
    return { fields: { network, user, client, route: '/oauth/authorize' } }
  },
  async cross_site_refused() {
    const network = newAddress()
    const headers = { 'sec-fetch-site': 'cross-site' }
    const sent = await newBrowser(app).post('/sign-in', {}, { headers, from: network })
    expect(sent.status).toBe(403)
    return { fields: { network, route: '/sign-in' } }
  },
  async host_refused() {
    const network = newAddress()
    const headers = { host: 'evil.example' }
    expect((await app.call('/sign-in', { headers, from: network })).status).toBe(421)
    return { fields: { network } }
  },
  async plain_http_refused() {
    const live = await secure.newMerchant({ mode: 'LIVE' })
    const network = newAddress()
    expect((await live.api('/accounts', { from: network })).status).toBe(403)
    return { on: secure, fields: { network, instance: live.instance.id } }
  },
  async token_requests_limited() {
    const busy = await newPlatform(app)
    await busy.refresh('rt_none')
    await deps.db
      .updateTable('limit_counters')
      .set({ count: 1200 })
      .where('name', '=', 'oauth-client')
      .where('key', '=', busy.id)
      .execute()
    expect((await busy.refresh('rt_none')).status).toBe(429)
    return { fields: { client: busy.id, limit: 'oauth-client' } }
  },
  async disk_full() {
    const network = newAddress()
    try {
      isDiskFull = true
      expect((await merchant.api('/accounts', { body: {}, from: network })).status).toBe(503)
    } finally {
      isDiskFull = false
    }
    return { fields: { network, method: 'POST' } }
  },
  async webhook_disabled() {
    const receiver = await startReceiver()
    receiver.answer(410)
    await newWebhook(merchant, receiver.url)
    await happen(app, merchant)
    await deliverAll(app)
    return { fields: { instance } }
  },
  async oauth_request_refused() {
    const network = newAddress()
    const path = platform.request({ redirect_url: 'https://evil.example/' })
    expect((await app.call(path, { from: network })).status).toBe(400)
    return { fields: { network, route: '/oauth/authorize' } }
  },
  async consent_denied() {
    const { browser, page } = await consenting()
    locationOf(await browser.send(consent(), page, { decision: 'deny' }))
    return { fields: { user, client } }
  },
  async oauth_client_refused() {
    const network = newAddress()
    const headers = { authorization: basic(`${client}:wrong`) }
    expect((await platform.token({}, { headers, from: network })).status).toBe(401)
    return { fields: { network, route: '/oauth/token' } }
  },
  async oauth_grant_refused() {
    const network = newAddress()
    const fields = { grant_type: 'refresh_token', refresh_token: 'rt_made_up' }
    expect((await platform.token(fields, { from: network })).status).toBe(400)
    return { fields: { network, client } }
  },
  async oauth_code_reused() {
    const code = await newCode(app, email, platform)
    expect((await platform.exchange(code)).status).toBe(200)
    expect((await platform.exchange(code)).status).toBe(400)
    return { fields: { client } }
  },
  async oauth_token_reused() {
    const open = await newPlatform(app, { isPublic: true })
    const code = await newCode(app, email, open, challenge)
    const { refresh_token } = (await open.exchange(code, { code_verifier: verifier })).json
    expect((await open.refresh(refresh_token)).status).toBe(200)
    app.pass(RETRY_WINDOW_MS + 1)
    expect((await open.refresh(refresh_token)).status).toBe(400)
    return { fields: { client: open.id } }
  },
}

const linesOf = (on: TestApp, event: SecurityEvent) =>
  on
    .logged()
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))
const countOf = (on: TestApp, event: SecurityEvent) =>
  on.checkstand.deps.security.counts().get(event) ?? 0

describe('a security event', () => {
  it.each(Object.entries(PROVOKE) as [SecurityEvent, () => Promise<Provoked>][])(
    '%s is counted, and logged with who, from where and on what',
    async (event, provoke) => {
      const before = new Map([app, secure].map((each) => [each, countOf(each, event)]))
      const { fields, on = app } = await provoke()
      expect(countOf(on, event)).toBeGreaterThan(before.get(on) ?? 0)
      const line = linesOf(on, event).at(-1) ?? '{}'
      expect(JSON.parse(line)).toMatchObject({ level: 40, event, ...fields })
      // A path may hold a link's id, and a query a code.
      expect(line).not.toMatch(/(pl|sk|at|rt|cd|cs)_\w{8}|[?@]/)
    },
  )

  it.each(SECURITY_EVENTS.filter((event) => !PROVOKE[event]))(
    '%s is shown by its own test',
    (event) => {
      const file = new URL(SHOWN_BY[event] ?? 'none', ROOT)
      expect(existsSync(file), `${event} is never recorded in a test`).toBe(true)
      expect(readFileSync(file, 'utf8')).toContain(event)
    },
  )

  it('stands in docs/security.md, and nothing else does', () => {
    const text = readFileSync(new URL('docs/security.md', ROOT), 'utf8')
    const table = text.slice(text.indexOf('## Security events'))
    const kinds = [...table.matchAll(/^\| `([a-z_]+)`/gm)].map(([, kind]) => kind)
    expect(new Set(kinds)).toEqual(new Set(SECURITY_EVENTS))
  })

  it('is the same for a payer’s token as for a platform’s', async () => {
    const network = newAddress()
    const headers = { authorization: 'Bearer ckt_1_none' }
    expect((await app.call('/pay/checkouts/current', { headers, from: network })).status).toBe(401)
    expect(JSON.parse(linesOf(app, 'token_refused').at(-1) ?? '')).toMatchObject({ network })
  })

  it('is not what a token’s right use is, nor a right password, nor an approval', async () => {
    const before = deps.security.counts()
    app.pass(60_000)
    const tokens = await newTokens(app, email, platform)
    expect((await withToken(app, tokens.access_token)('/accounts')).status).toBe(200)
    expect((await platform.refresh(tokens.refresh_token)).status).toBe(200)
    expect((await merchant.api('/accounts')).status).toBe(200)
    expect(deps.security.counts()).toEqual(before)
  })
})
