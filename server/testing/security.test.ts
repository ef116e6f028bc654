import { createHash, randomUUID } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { BASE, basic, startTestApp } from './app.ts'
import type { Answer, Call, TestApp } from './app.ts'
import { CARDS, newLink, openPayer } from './payer.ts'
import { freePort } from './program.ts'

/**
 * The rows of safety section 2 that concern the server as a whole, by their numbers. Those about
 * one part stand beside that part: 6 in `e2e/frame.spec.ts`, 13 in `checkouts/pay.test.ts`, 14 in
 * `checkouts/defend.test.ts`, 15 also in `observe/log.test.ts`, 16 in
 * `shared/rules/redirect-target.test.ts`, 17 in `outbound/`, 18 to 20 in `auth/`, 21 in
 * `isolation.test.ts`, 25 also in `http/limited-server.test.ts`, 27 in `criteria/`.
 */

const app = await startTestApp()
const secure = await startTestApp({ BASE_URL: 'https://pay.shop.test' })
const ROOT = new URL('../../', import.meta.url)
const dist = new URL('dist/page/', ROOT)
const CARD = '4242424242424242'

async function pageOf(server: TestApp, options?: Record<string, unknown>): Promise<Answer> {
  return server.call(`/pay/${(await newLink(server.merchant, options)).id}`)
}

const policyOf = (answer: Answer) => answer.headers.get('content-security-policy') ?? ''

describe('row 1: the policy of the payer’s page', () => {
  it('allows its own scripts, its style sheet and import map by hash, and nothing else', async () => {
    const page = await pageOf(app)
    const sheet = /<style>(.*?)<\/style>/s.exec(page.text)?.[1] ?? ''
    const map = /<script type="importmap">(.*?)<\/script>/s.exec(page.text)?.[1] ?? ''
    const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')
    expect(policyOf(page).split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' 'sha256-${hashOf(map)}'`,
      `style-src 'sha256-${hashOf(sheet)}'`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "form-action 'self'",
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      'report-uri /csp',
    ])
  })

  it('is kept by the page: no inline script, style or handler, whatever the merchant wrote', async () => {
    const nasty = `</script><script>alert(1)</script><img src=x onerror=alert(1)>\u2028"'&`
    const { text } = await pageOf(app, { amount: '1.00', name: nasty, description: nasty })
    const scripts = [...text.matchAll(/<script\b([^>]*)>/g)].map(([, attributes]) => attributes)
    expect(scripts).toEqual([
      ' type="importmap"',
      expect.stringMatching(/^ type="module" src="\/assets\/[\w.-]+\.js" integrity="/),
      ' type="application/json" id="page-model"',
    ])
    const json = /id="page-model">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
    expect(json).not.toMatch(/[<>&\u2028\u2029]/)
    expect(JSON.parse(json).checkout.terms.name).toBe(nasty)
    const bare = text.replace(/="[^"]*"/g, '=""')
    const tags = [...bare.matchAll(/<[a-z][^<>]*>/g)].map(([tag]) => tag)
    expect(tags.filter((tag) => / (style|on[a-z]+)=/.test(tag))).toEqual([])
  })

  const report = (body: unknown, call: Call = {}) =>
    app.call('/csp', {
      method: 'POST',
      raw: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/csp-report' },
      ...call,
    })
  const linesOf = async (act: () => Promise<unknown>) => {
    const before = app.logged().length
    await act()
    return app
      .logged()
      .slice(before)
      .split('\n')
      .filter((line) => line.includes('broke its policy'))
  }

  it('is reported to /csp, which logs a directive and two origins, and no address', async () => {
    const lines = await linesOf(async () => {
      const answer = await report({
        'csp-report': {
          'document-uri': `${BASE}/pay/pl_secret_0123456789`,
          referrer: `${BASE}/pay/pl_secret_0123456789`,
          'effective-directive': 'script-src-elem',
          'violated-directive': "script-src 'self'",
          'blocked-uri': `https://evil.example/steal?card=${CARD}`,
          'source-file': `${BASE}/pay/pl_secret_0123456789`,
          'script-sample': CARD,
        },
      })
      expect([answer.status, answer.text]).toEqual([204, ''])
    })
    expect(lines).toHaveLength(1)
    const { time: _time, ...line } = JSON.parse(lines[0] as string)
    expect(line).toEqual({
      level: 40,
      directive: 'script-src-elem',
      blocked: 'https://evil.example',
      source: BASE,
      msg: 'a page broke its policy',
    })
  })

  it.each([
    ['not JSON', 'x'],
    ['no report', '{}'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a report without a directive', { 'csp-report': { 'blocked-uri': 'inline' } }],
    ['a directive that is none', { 'csp-report': { 'effective-directive': 'A\nB' } }],
    ['a report with nothing of its own', '{"__proto__":{"csp-report":{}}}'],
  ])('is not logged for what is no report: %s', async (_what, body) => {
    const lines = await linesOf(async () => expect((await report(body)).status).toBe(204))
    expect(lines).toEqual([])
  })

  it('has short lines, and sixty of them a minute, however much is sent', async () => {
    const long = {
      'effective-directive': 'x'.repeat(9000),
      'blocked-uri': `https://${'y'.repeat(5000)}.example`,
    }
    const lines = await linesOf(async () => {
      for (let i = 0; i < 70; i += 1) await report({ 'csp-report': long })
    })
    expect(lines.length).toBeLessThanOrEqual(60)
    expect(lines.length).toBeGreaterThan(50)
    for (const line of lines) expect(line.length).toBeLessThan(500)
    expect((await report('x'.repeat(16_385))).status).toBe(400)
  })
})

describe('row 2: who may frame an answer', () => {
  it.each([
    ['a page', () => pageOf(app)],
    ['a page about nothing', () => app.call('/pay/pl_unknown_1')],
    ['the API', () => app.merchant.api('/payment_links')],
    ['an error of the API', () => app.call('/c/api/payment_links')],
    ['a script', async () => app.call((await scriptOf()).url)],
  ])('is nobody: %s', async (_what, ask) => {
    expect(policyOf(await ask())).toContain("frame-ancestors 'none'")
  })
})

const EVERYTHING: [string, (server: TestApp) => Promise<Answer>][] = [
  ['a page', (server) => pageOf(server)],
  ['a page about nothing', (server) => server.call('/pay/pl_unknown_1')],
  ['an answer to a payer', (server) => server.call('/pay/checkouts/current')],
  ['an answer of the API', (server) => server.merchant.api('/payment_links')],
  ['wrong credentials', (server) => server.call('/c/api/payment_links')],
  ['an address that does not exist', (server) => server.call('/nowhere')],
  ['the OpenAPI document', (server) => server.call('/openapi.json')],
  ['a probe', (server) => server.call('/readyz')],
  ['the sign-in page', (server) => server.call('/sign-in')],
  ['the sandbox', (server) => server.call('/sandbox/challenges/x')],
  ['a token of the sandbox', (server) => server.call('/sandbox/tokens', { body: {} })],
  ['a report', (server) => server.call('/csp', { raw: '{}' })],
]

describe('row 3: the headers of every answer', () => {
  it.each(EVERYTHING)('%s', async (_what, ask) => {
    const { headers } = await ask(app)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toMatch(/^(strict-origin|no-referrer)$/)
    expect(headers.has('cross-origin-opener-policy')).toBe(true)
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    for (const name of [
      'x-frame-options',
      'x-powered-by',
      'server',
      'access-control-allow-origin',
    ]) {
      expect(headers.has(name), name).toBe(false)
    }
  })

  it('let the window of a bank come back to the payer’s page', async () => {
    const { headers } = await pageOf(app)
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
  })

  it.each(EVERYTHING)(
    'promise https for two years where payers come by it: %s',
    async (_what, ask) => {
      const promise = 'max-age=63072000; includeSubDomains'
      expect((await ask(secure)).headers.get('strict-transport-security')).toBe(promise)
      expect((await ask(app)).headers.has('strict-transport-security')).toBe(false)
    },
  )
})

async function scriptOf(): Promise<{ url: string; integrity: string }> {
  const { text } = await pageOf(app)
  const [, url = '', integrity = ''] =
    /src="(\/assets\/[^"]+)" integrity="([^"]+)"/.exec(text) ?? []
  return { url, integrity }
}

describe('row 4: the page’s script', () => {
  it('is the one that the page was made with, by its hash', async () => {
    const { url, integrity } = await scriptOf()
    const { status, text } = await app.call(url)
    expect(status).toBe(200)
    expect(integrity).toBe(`sha384-${createHash('sha384').update(text).digest('base64')}`)
  })

  it('has parts that come later, each as it was built, and no other', async () => {
    const { text } = await pageOf(app)
    const map = /<script type="importmap">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
    const { integrity, ...rest } = JSON.parse(map) as { integrity: Record<string, string> }
    expect(rest).toEqual({})
    const { url: main } = await scriptOf()
    const names = (await builtScripts()).map(({ name }) => `/assets/${name}`)
    expect([...Object.keys(integrity), main].toSorted()).toEqual(names.toSorted())
    for (const [url, hash] of Object.entries(integrity)) {
      const part = await app.call(url)
      expect(hash).toBe(`sha256-${createHash('sha256').update(part.text).digest('base64')}`)
    }
    // A map that came after the first module would be ignored.
    expect(text.indexOf('importmap')).toBeLessThan(text.indexOf('type="module"'))
  })
})

describe('row 5: third parties', () => {
  it('are neither in the page nor in what it loads', async () => {
    const { text } = await pageOf(app)
    const loads = [...text.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, url]) => url)
    expect(loads.length).toBeGreaterThan(1)
    for (const url of loads) expect(url).toMatch(/^(\/(?!\/)|data:|#|\?|$)/)
    for (const { name, source } of await builtScripts()) {
      const hosts = [...source.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host)
      // Names of XML, which nobody ever calls.
      expect(
        hosts.filter((host) => host !== 'www.w3.org'),
        name,
      ).toEqual([])
    }
  })
})

async function builtScripts(): Promise<{ name: string; source: string }[]> {
  const folder = new URL('assets/', dist)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  expect(names.length).toBeGreaterThan(0)
  return Promise.all(
    names.map(async (name) => ({ name, source: await readFile(new URL(name, folder), 'utf8') })),
  )
}

describe('rows 6 and 7: frames and their messages', () => {
  it('no script of ours sends a message to just anybody', async () => {
    for (const { name, source } of await builtScripts()) {
      expect(source, name).not.toMatch(/postMessage\([^;]{0,400}?["'`]\*["'`]\s*\)/)
    }
  })
})

describe('row 8: cookies', () => {
  it('are not set for payers, and change nothing for them', async () => {
    const link = await newLink(app.merchant)
    const answers = [
      await app.call(`/pay/${link.id}`),
      await app.call(`/pay/${link.id}/checkouts`, { body: {} }),
    ]
    const headers = { cookie: `checkout=${answers[1]?.json.token}` }
    answers.push(await app.call('/pay/checkouts/current', { headers }))
    expect(answers[2]?.status).toBe(401)
    for (const answer of answers) expect(answer.headers.getSetCookie()).toEqual([])
  })
})

describe('row 9: a page of another site', async () => {
  const link = await newLink(app.merchant)
  const payer = await openPayer(app, link.id)
  const open = (headers: Record<string, string>) =>
    app.call(`/pay/${link.id}/checkouts`, { body: {}, headers })
  const submit = (headers: Record<string, string>) =>
    app.call('/pay/checkouts/current/submit', {
      body: {},
      headers: { authorization: `Bearer ${payer.token}`, ...headers },
    })

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'http://evil.shop.test', 'sec-fetch-site': 'same-site' },
    { origin: 'https://shop.test', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://shop.test:8080', 'sec-fetch-site': 'same-origin' },
    { origin: 'null' },
  ] as Record<string, string>[])('neither opens nor submits: %j', async (headers) => {
    for (const answer of [await open(headers), await submit(headers)]) {
      expect([answer.status, answer.json.error.type]).toEqual([403, 'FORBIDDEN'])
    }
  })

  it.each([
    {},
    { origin: BASE },
    { origin: BASE, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ] as Record<string, string>[])('is not what our own page is taken for: %j', async (headers) => {
    expect((await open(headers)).status).toBe(200)
    expect((await submit(headers)).json.error.type).toBe('INVALID_REQUEST')
  })

  /** Where a payer changes something; only a bank's page may send payers back from elsewhere. */
  const changing = app.checkstand.mounts
    .filter(({ security }) => security === 'none')
    .flatMap(({ prefix, routes }) =>
      routes.map(({ method, path }): [string, string] => [method.toUpperCase(), prefix + path]),
    )
    .filter(([method, path]) => method !== 'GET' && path !== '/pay/checkouts/:handle/return')

  it('is kept from every address where something can be changed', () => {
    expect(changing.map((each) => each.join(' '))).toEqual(
      expect.arrayContaining([
        'POST /pay/:id/checkouts',
        'POST /pay/checkouts/current/submit',
        'DELETE /pay/checkouts/current/payment_methods/:id',
      ]),
    )
  })

  it.each(changing)('changes nothing with the payer’s own token: %s %s', async (method, path) => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ] as Record<string, string>[]) {
      const { status, json } = await app.call(path.replace(':id', link.id), {
        method,
        ...(method === 'DELETE' ? {} : { body: {} }),
        headers: { authorization: `Bearer ${payer.token}`, ...headers },
      })
      expect([headers, status, json?.error?.type]).toEqual([headers, 403, 'FORBIDDEN'])
    }
  })

  it('tries out no cards at the sandbox', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const path of ['/sandbox/tokens', '/sandbox/challenges/x']) {
      expect((await app.call(path, { body: {}, headers })).status).toBe(403)
    }
  })

  it('gets no answer to the question whether it may, and no simple form is taken', async () => {
    const preflight = await app.call(`/pay/${link.id}/checkouts`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(405)
    const names = [...preflight.headers.keys()]
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const call = { raw: '{}', headers: { 'content-type': type } }
      expect((await app.call(`/pay/${link.id}/checkouts`, call)).status, type).toBe(400)
    }
  })

  it('of a bank may send the payer back', async () => {
    const asked = await payer.payByCard(CARDS.challenge)
    const { headers } = await app.call(new URL(asked.json.action.url).pathname, {
      raw: 'choice=decline',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const back = new URL(headers.get('location') as string).pathname
    const crossing = { origin: 'https://bank.example', 'sec-fetch-site': 'cross-site' }
    expect((await app.call(back, { raw: '', headers: crossing })).status).toBe(303)
  })
})

describe('row 10: the token of a session', () => {
  it('has 256 random bits, of which only a hash is kept', async () => {
    const { token, checkout } = await openPayer(app, (await newLink(app.merchant)).id)
    const secret = /^ckt_\d+_[0-9a-z]{16}_([\w-]{43})$/.exec(token)?.[1] ?? ''
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    const hash = createHash('sha256').update(secret).digest('base64url')
    const { db } = app.checkstand.deps
    const row = await db.selectFrom('checkouts').selectAll().where('id', '=', checkout.id).execute()
    expect(row[0]?.token_hash).toBe(hash)
    expect(JSON.stringify(row)).not.toContain(secret)
  })

  it('opens its own session for an hour, and is not prolonged by use', async () => {
    const { token, current } = await openPayer(app, (await newLink(app.merchant)).id)
    app.pass(3_599_999)
    expect((await current()).json.checkout.status).toBe('OPEN')
    app.pass(1)
    expect((await current()).json.checkout.status).not.toBe('OPEN')
    const [, id, secret] = /^ckt_(.*)_([\w-]{43})$/.exec(token) ?? []
    const other = await openPayer(app, (await newLink(app.merchant)).id)
    const otherId = /^ckt_(.*)_[\w-]{43}$/.exec(other.token)?.[1]
    for (const wrong of [
      `ckt_${otherId}_${secret}`,
      `ckt_${id}_${'A'.repeat(43)}`,
      `ckt_${id}_`,
      secret,
      '',
    ]) {
      const headers = { authorization: `Bearer ${wrong}` }
      expect((await app.call('/pay/checkouts/current', { headers })).status).toBe(401)
    }
  })

  it('is in no address: a bank sends the payer back to another secret', async () => {
    const payer = await openPayer(app, (await newLink(app.merchant)).id)
    const { json } = await payer.payByCard(CARDS.challenge)
    const { headers } = await app.call(new URL(json.action.url).pathname, {
      raw: 'choice=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const back = headers.get('location') ?? ''
    expect(back).toMatch(/\/pay\/checkouts\/[\w-]{32}\/return$/)
    expect(back).not.toContain(payer.token.slice(-43))
    const handle = back.split('/').at(-2)
    const asToken = { authorization: `Bearer ${handle}` }
    expect((await app.call('/pay/checkouts/current', { headers: asToken })).status).toBe(401)
  })
})

describe('row 11: the id of a link', () => {
  it('cannot be guessed: more than 128 random bits', async () => {
    const { id } = await newLink(app.merchant)
    const tail = /^pl_[0-9a-z]+_([0-9A-Za-z]+)$/.exec(id)?.[1] ?? ''
    expect(tail.length * Math.log2(62)).toBeGreaterThan(128)
  })

  it('is not told to other sites, to search engines or to the log', async () => {
    const before = app.logged().length
    const { id } = await newLink(app.merchant)
    const page = await app.call(`/pay/${id}`)
    await app.call(`/pay/${id}/checkouts`, { body: {} })
    await app.merchant.api(`/payment_links/${id}`)
    expect(page.headers.get('referrer-policy')).toBe('strict-origin')
    expect(page.headers.get('x-robots-tag')).toBe('noindex')
    expect(app.logged().length).toBeGreaterThan(before)
    expect(app.logged().slice(before)).not.toContain(id)
  })
})

describe('row 12: what a stranger learns of a link', () => {
  it('is the same whether it never existed or has another form', async () => {
    const { id } = await newLink(app.merchant)
    const pages = await Promise.all(
      [`${id}x`, 'pl_unknown_1', 'nonsense', 'acc_1_a'].map((other) => app.call(`/pay/${other}`)),
    )
    for (const page of pages) {
      expect([page.status, page.text]).toEqual([404, pages[0]?.text])
    }
    const opened = await app.call('/pay/pl_unknown_1/checkouts', { body: {} })
    expect(opened.json).toEqual({ error: { type: 'NOT_FOUND', message: 'Payment link not found' } })
  })

  it('is nothing of what the merchant keeps with it', async () => {
    const account = { crm_key: 'vip-7', first_name: 'Ada', email: 'ada@secret.example' }
    const made = await app.merchant.api('/accounts', { body: { account } })
    const link = await newLink(
      app.merchant,
      { amount: '1.00', account: made.json.account.id },
      { state: { note: 'hush hush' } },
    )
    const seen = [
      (await app.call(`/pay/${link.id}`)).text,
      (await app.call(`/pay/${link.id}/checkouts`, { body: {} })).text,
    ].join()
    for (const secret of ['hush hush', 'vip-7', 'secret.example', made.json.account.id, 'Ada']) {
      expect(seen).not.toContain(secret)
    }
  })
})

describe('row 14: card testing', () => {
  it('is stopped by the address that a proxy names, and not for everybody behind it', async () => {
    const proxied = await startTestApp({ TRUST_PROXY: '1' })
    const ask = (address: string): TestApp => ({
      ...proxied,
      call: (path, call = {}) =>
        proxied.call(path, {
          ...call,
          from: '10.0.0.1',
          headers: { ...call.headers, 'x-forwarded-for': `198.51.100.9, ${address}` },
        }),
    })
    const pay = async (address: string, card: string) => {
      const payer = await openPayer(ask(address), (await newLink(proxied.merchant)).id)
      return payer.payByCard(card)
    }
    for (let i = 0; i < 10; i += 1) await pay('203.0.113.1', CARDS.decline)
    expect((await pay('203.0.113.1', CARDS.approve)).status).toBe(429)
    expect((await pay('198.51.100.9', CARDS.approve)).status).toBe(200)
  })
})

describe('row 15: the number and the code of a card', () => {
  const NUMBER = '5555555555554444'
  const message = (member: string) =>
    `${member} must not contain a card number; a number that is none may have a letter right before it`
  const card = (member: string, path: string, body: unknown, named = member) =>
    [member, path, body, message(named)] as const
  const link = (member: string, options: unknown) =>
    card(`payment_link.options.${member}`, '/payment_links', { payment_link: { options } })
  const payment = (member: string, more: object) =>
    card(`payment.${member}`, '/payments', {
      payment: { amount: '1.00', payment_method: { token: 'tok_a' }, ...more },
    })

  it.each([
    link('alt_key', { alt_key: NUMBER }),
    link('description', { description: `Paid with ${NUMBER}` }),
    link('default_description', { default_description: '5555 5555 5555 4444' }),
    link('default_alt_key', { default_alt_key: `${NUMBER} x` }),
    link('name', { name: NUMBER }),
    link('account.first_name', { account: { first_name: NUMBER } }),
    link('account.crm_key', { account: { crm_key: NUMBER } }),
    link('account.address.line1', { account: { address: { line1: NUMBER } } }),
    card('payment_link.state', '/payment_links', { payment_link: { state: { a: [NUMBER] } } }),
    card('account.crm_key', '/accounts', { account: { crm_key: NUMBER } }),
    card('account.tags', '/accounts', { account: { crm_key: 'a', tags: NUMBER } }),
    card('account.metadata.note', '/accounts', {
      account: { crm_key: 'a', metadata: { note: `card ${NUMBER}` } },
    }),
    card('account.metadata', '/accounts', {
      account: { crm_key: 'a', metadata: { [NUMBER]: '' } },
    }),
    payment('alt_key', { alt_key: NUMBER }),
    payment('description', { description: NUMBER }),
    payment('reason', { reason: NUMBER }),
    payment('metadata.a', { metadata: { a: NUMBER } }),
    card('refund.reference', '/payments/x/refund', { refund: { reference: NUMBER } }),
    card('capture.description', '/payments/x/capture', { capture: { description: NUMBER } }),
    card('instance_webhook.description', '/instance_webhooks', {
      instance_webhook: { url: 'https://a.example', events: ['*'], description: NUMBER },
    }),
  ])('is refused in %s', async (_member, path, body, expected) => {
    const answer = await app.merchant.api(path, { body })
    expect(answer.status, answer.text).toBe(400)
    expect(answer.json.error.message).toBe(expected)
    expect(answer.text).not.toContain(NUMBER)
  })

  it.each(['description', 'alt_key', 'account.first_name', 'account.phone'])(
    'is refused in what a payer types: %s',
    async (member) => {
      const open = await newLink(app.merchant, { amount: '1.00', allow_description: true })
      const payer = await openPayer(app, open.id)
      const [first = '', second] = member.split('.')
      const typed = { [first]: second === undefined ? NUMBER : { [second]: NUMBER } }
      const { status, json } = await payer.payByCard(CARDS.approve, typed)
      expect([status, json.error.message]).toEqual([400, message(member)])
    },
  )

  it('is not repeated where a name cannot be one', async () => {
    const body = { payment_link: { [NUMBER]: 1, options: {} } }
    const { text, status } = await app.merchant.api('/payment_links', { body })
    expect(status).toBe(400)
    expect(text).toContain('Unknown field payment_link.[card number]')
  })

  it('is seen in no order number of thirteen digits, and in none with a letter before it', async () => {
    for (const alt_key of [
      '5555555555554',
      '1893456000000',
      '4006381333931',
      'o4111111111111111',
    ]) {
      const answer = await app.merchant.api('/payment_links', {
        body: { payment_link: { options: { alt_key } } },
      })
      expect(answer.status, answer.text).toBe(200)
    }
  })

  it('is nowhere in the database and in the log after a payment, a decline and every refusal', async () => {
    const payer = await openPayer(
      app,
      (await newLink(app.merchant, { amount: '1.00', save_card: true })).id,
    )
    await payer.payByCard(CARDS.decline)
    await payer.payByCard(NUMBER, { description: NUMBER })
    await payer.payByCard(NUMBER)
    await app.call('/sandbox/tokens', { body: { card: { number: NUMBER, csc: 'x' } } })
    await app.call(`/pay/${NUMBER}?number=${NUMBER}`, { headers: { 'x-card': NUMBER } })
    await app.merchant.api('/payments', {
      body: { payment: { amount: '1.00', payment_method: { token: NUMBER } } },
      headers: { 'idempotency-key': randomUUID() },
    })
    const stored = await everyRow(app)
    expect(stored).toContain('"4444"')
    for (const number of [NUMBER, CARDS.decline]) {
      expect(stored).not.toContain(number)
      expect(app.logged()).not.toContain(number)
    }
    expect(stored).not.toMatch(/"(csc|cvc|cvv|security_code)"/)
  })
})

/** All that a database holds, as JSON. */
async function everyRow({ checkstand }: TestApp): Promise<string> {
  const { db } = checkstand.deps
  const tables = await db.introspection.getTables()
  expect(tables.length).toBeGreaterThan(20)
  const rows = []
  for (const { name } of tables) {
    rows.push(
      await db
        .selectFrom(name as 'checkouts')
        .selectAll()
        .execute(),
    )
  }
  return JSON.stringify(rows)
}

describe('row 22: the header Host', () => {
  it('is in no address that we write', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const made = await app.merchant.api('/payment_links', {
      body: { payment_link: { options: { amount: '1.00' } } },
      headers,
    })
    expect(made.json.payment_link.url).toMatch(new RegExp(`^${BASE}/pay/pl_`))
    const page = await app.call(`/pay/${made.json.payment_link.id}`, { headers })
    const document = await app.call('/openapi.json', { headers })
    expect(page.text + document.text).not.toContain('evil.example')
  })

  it('must name this server where the setting says so, except for probes', async () => {
    const strict = await startTestApp({
      BASE_URL: 'https://pay.shop.test',
      ALLOWED_HOSTS: 'pay.other.test, inside.test:4242',
    })
    const ask = (host: string, path = '/openapi.json') => strict.call(path, { headers: { host } })
    for (const host of ['pay.shop.test', 'PAY.other.test', 'inside.test:4242']) {
      expect((await ask(host)).status, host).toBe(200)
    }
    for (const host of ['evil.example', 'inside.test', 'pay.shop.test.evil.example', '']) {
      const { status, json } = await ask(host)
      expect([status, json.error.type], host).toEqual([421, 'MISDIRECTED_REQUEST'])
    }
    expect((await ask('10.0.0.9:4242', '/livez')).status).toBe(200)
    expect((await ask('10.0.0.9:4242', '/readyz')).status).toBe(200)
  })
})

describe('row 23: the address of a caller', () => {
  const noted = async (server: TestApp, call: Call) => {
    const crm_key = randomUUID()
    await server.merchant.api('/accounts', { body: { account: { crm_key } }, ...call })
    const { json } = await server.merchant.api(`/accounts/${crm_key}?expand=created_session`)
    return json.account.created_session.ip
  }
  const forged = { headers: { 'x-forwarded-for': '1.2.3.4' }, from: '203.0.113.9' }

  it('is the one that a trusted proxy names', async () => {
    const proxied = await startTestApp({ TRUST_PROXY: '10.0.0.0/8' })
    expect(await noted(proxied, { ...forged, from: '10.0.0.1' })).toBe('1.2.3.4')
    expect(await noted(proxied, forged)).toBe('203.0.113.9')
  })

  it('is its connection’s where no proxy is trusted', async () => {
    expect(await noted(app, forged)).toBe('203.0.113.9')
  })
})

describe('row 24: live instances', () => {
  const wanted = { payment_link: { options: { amount: '1.00' } } }

  it.each(['http://pay.shop.test', 'http://localhost:4242'])(
    'make no links to %s',
    async (BASE_URL) => {
      const plain = await startTestApp({ BASE_URL })
      const live = await plain.newMerchant({ mode: 'LIVE' })
      const { status, json } = await live.api('/payment_links', { body: wanted })
      expect([status, json.error]).toEqual([
        400,
        {
          type: 'INVALID_STATE',
          message: 'A live instance makes links only when the setting BASE_URL begins with https:',
        },
      ])
      expect((await plain.merchant.api('/payment_links', { body: wanted })).status).toBe(200)
    },
  )

  it('make links to https', async () => {
    const live = await secure.newMerchant({ mode: 'LIVE' })
    const { json } = await live.api('/payment_links', { body: wanted })
    expect(json.payment_link.url).toMatch(/^https:\/\/pay\.shop\.test\/pay\/pl_/)
  })

  it('answer nobody who comes from another machine by plain http', async () => {
    const live = await secure.newMerchant({ mode: 'LIVE' })
    const ask = async (from: string, headers = {}, path = '/payment_links') => {
      const { status, json } = await live.api(path, { from, headers })
      return [status, json.error?.type ?? json.code]
    }
    expect(await ask('203.0.113.1')).toEqual([403, 'FORBIDDEN'])
    expect(await ask('203.0.113.1', {}, '/strings')).toEqual([403, 'FORBIDDEN'])
    expect(await ask('10.0.0.1', { 'x-forwarded-proto': 'https' })).toEqual([403, 'FORBIDDEN'])
    expect(await ask('127.0.0.1')).toEqual([200, undefined])
    const { api } = secure.merchant
    expect((await api('/payment_links', { from: '203.0.113.1' })).status).toBe(200)
  })

  it('answer who came by https to a proxy that is trusted', async () => {
    const proxied = await startTestApp({ BASE_URL: 'https://pay.shop.test', TRUST_PROXY: '1' })
    const live = await proxied.newMerchant({ mode: 'LIVE' })
    const ask = async (proto: string | undefined, address = '203.0.113.1', from = '127.0.0.1') => {
      const headers = {
        'x-forwarded-for': address,
        ...(proto === undefined ? {} : { 'x-forwarded-proto': proto }),
      }
      return (await live.api('/payment_links', { from, headers })).status
    }
    expect(await ask('https')).toBe(200)
    expect(await ask('http')).toBe(403)
    expect(await ask(undefined)).toBe(403)
    expect(await ask('http', '127.0.0.1')).toBe(403)
    expect((await live.api('/payment_links', { from: '127.0.0.1' })).status).toBe(200)
  })

  it('do not tell a stranger that they are live', async () => {
    const headers = { authorization: basic('sk_live_wrong0123456789:') }
    const path = '/c/api/instances/default/payment_links'
    expect((await secure.call(path, { headers, from: '203.0.113.200' })).status).toBe(401)
  })
})

describe('row 25: what a request may be', async () => {
  const port = await freePort()
  const served = await startTestApp({ PORT: String(port) })
  await served.checkstand.start()

  /** Sends text as it is, and answers the first line that comes back. */
  function send(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      let heard = ''
      socket.on('data', (bytes) => (heard += String(bytes)))
      socket.on('close', () => resolve(heard.split('\r\n')[0] ?? ''))
      socket.on('error', reject)
    })
  }
  const request = (line: string, headers = '') =>
    send(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`)

  it.each([
    ['GET /livez', '', 200],
    ['TRACE /livez', '', 404],
    ['TRACE /pay/pl_a_b', '', 405],
    ['TRACE /c/api/instances/default/payment_links', '', 401],
    ['GET /livez', `X-Long: ${'x'.repeat(17_000)}\r\n`, 431],
    ['GET /livez', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n', 400],
    ['NONSENSE /livez', '', 400],
  ])('%s answers as it must (%#)', async (line, headers, status) => {
    expect(await request(line, headers)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  it('is at most 64 000 bytes from a payer and 1 000 000 from a merchant, in pieces too', async () => {
    const link = await newLink(app.merchant)
    const open = (bytes: number, inPieces: boolean) => {
      const text = `{"branding":"${'x'.repeat(bytes - 15)}"}`
      const raw = inPieces ? new Blob([text]).stream() : text
      const headers = { 'content-type': 'application/json' }
      return app.call(`/pay/${link.id}/checkouts`, { raw, headers })
    }
    for (const inPieces of [false, true]) {
      const { json } = await open(64_000, inPieces)
      expect(json.error.message).toBe('branding must be at most 64 characters')
      const tooLarge = await open(64_001, inPieces)
      expect(tooLarge.json.error.message).toBe('body must be at most 64000 bytes')
    }
    const body = { payment_link: { state: 'x'.repeat(1_000_000) } }
    const { json } = await app.merchant.api('/payment_links', { body })
    expect(json.error.message).toBe('body must be at most 1000000 bytes')
  })

  it('is nested at most 32 levels deep, with at most 10 000 members', async () => {
    const send = (state: string) =>
      app.merchant.api('/payment_links', {
        raw: `{"payment_link":{"state":${state}}}`,
        headers: { 'content-type': 'application/json' },
      })
    expect((await send(`${'['.repeat(30)}${']'.repeat(30)}`)).status).toBe(200)
    const deep = await send(`${'['.repeat(31)}${']'.repeat(31)}`)
    expect(deep.json.error.message).toBe('body must be nested at most 32 levels deep')
    const wide = await send(`[${'1,'.repeat(10_000)}1]`)
    expect(wide.json.error.message).toBe('body must have at most 10000 members')
    expect((await send('['.repeat(100_000))).status).toBe(400)
  })
})

describe('row 26: JSON', () => {
  const send = (raw: string, type = 'application/json') =>
    app.merchant.api('/payment_links', { raw, headers: { 'content-type': type } })

  it.each(['', '{', 'undefined', '{"a":1,}', '\u0000', '{"payment_link":{}} x'])(
    'that is none is a mistake of the caller: %j',
    async (raw) => {
      expect((await send(raw)).status).toBe(400)
    },
  )

  it('has a content type of its own', async () => {
    expect((await send('{"payment_link":{}}', 'text/plain')).status).toBe(400)
    expect((await send('{"payment_link":{}}', 'application/json; charset=utf-8')).status).toBe(200)
  })

  it.each(['__proto__', 'constructor', 'prototype'])(
    'has no member %s among options, and keeps it as data in the state',
    async (name) => {
      const option = await send(`{"payment_link":{"options":{"${name}":{"amount":"1.00"}}}}`)
      expect(option.json.error.message).toBe(`Unknown field payment_link.options.${name}`)
      const made = await send(`{"payment_link":{"state":{"${name}":{"polluted":1}}}}`)
      const { id } = made.json.payment_link
      const changed = await app.merchant.api(`/payment_links/${id}`, {
        method: 'PUT',
        raw: `{"mode":"PATCH","payment_link":{"state":{"${name}":{"more":2}}}}`,
        headers: { 'content-type': 'application/json' },
      })
      expect(changed.status, changed.text).toBe(200)
      const { text } = await app.merchant.api(`/payment_links/${id}`)
      expect(text).toContain(`"state":{"${name}":{"polluted":1,"more":2}}`)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )
})

describe('row 28: parts of Hono with a history', () => {
  it('are not used, and its version is pinned beyond their advisories', async () => {
    const { dependencies } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'))
    const [major, minor, patch] = dependencies.hono.split('.').map(Number)
    expect([major, minor >= 13, minor > 13 || patch >= 19]).toEqual([4, true, true])
    const files = (await readdir(new URL('server/', ROOT), { recursive: true })).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    )
    expect(files.length).toBeGreaterThan(200)
    for (const name of files) {
      const source = await readFile(new URL(`server/${name}`, ROOT), 'utf8')
      const avoided =
        /'hono\/(body-limit|cache|cors|csrf|ip-restriction|jwt|secure-headers)'|\.mount\(/
      expect([name, avoided.exec(source)?.[0]]).toEqual([name, undefined])
    }
  })
})

describe('row 29: a defect', async () => {
  const broken = await startTestApp()
  const { db } = broken.checkstand.deps
  for (const table of ['accounts', 'strings', 'payment_links', 'oauth_clients', 'user_sessions']) {
    await sql`alter table ${sql.table(table)} rename to ${sql.table(`gone_${table}`)}`.execute(db)
  }
  const nested = { error: { type: 'INTERNAL', message: 'Internal server error' } }
  const flat = { code: 'INTERNAL', message: 'Internal server error' }
  const oauth = { error: 'server_error', error_description: 'internal server error' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const client = { raw: 'client_id=oc_1_x&client_secret=x&grant_type=refresh_token', headers: form }

  it.each<[string, unknown, () => Promise<Answer>]>([
    ['the API', nested, () => broken.merchant.api('/accounts')],
    ['wording', flat, () => broken.merchant.api('/strings')],
    ['a token', oauth, () => broken.call('/oauth/token', client)],
    ['an approval', 'html', () => broken.call('/oauth/authorize?client_id=oc_1_x')],
  ])('is told to nobody but the log: %s', async (_what, expected, ask) => {
    const before = broken.logged().length
    const answer = await ask()
    expect(answer.status).toBe(500)
    if (expected === 'html') expect(answer.text).toContain('<!doctype html>')
    else expect(answer.json).toEqual(expected)
    const heard = `${answer.text} ${[...answer.headers].join(' ')}`
    expect(heard).not.toMatch(
      /accounts|payment_links|oauth_clients|no such|does not exist|\.ts|node_/,
    )
    const lines = broken.logged().slice(before)
    expect(lines).toMatch(/"level":50.*(no such table|does not exist)/)
    expect(lines).toContain(`"request":"${answer.headers.get('x-request-id')}"`)
  })
})

describe('row 30: what others have written', () => {
  it('comes in one version each, is checked by its hash, and runs nothing when it is installed', async () => {
    const read = async (name: string) => readFile(new URL(name, ROOT), 'utf8')
    const { dependencies, devDependencies } = JSON.parse(await read('package.json'))
    const all = { ...dependencies, ...devDependencies }
    for (const [name, version] of Object.entries(all)) {
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)])
    }
    const lock = JSON.parse(await read('package-lock.json')).packages as Record<string, Package>
    for (const [path, { version, integrity }] of Object.entries(lock)) {
      if (path !== '') expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)])
      const name = path.replace('node_modules/', '')
      if (name in all) expect([name, version]).toEqual([name, all[name]])
    }
    expect(await read('setup/prepare.mjs')).toContain("npm('ci', '--ignore-scripts'")
  })

  it('is in the payer’s page three packages of our inventory at most', async () => {
    const folders = ['widget/page/', 'shared/rules/']
    const found = new Set<string>()
    for (const folder of folders) {
      const names = await readdir(new URL(folder, ROOT), { recursive: true })
      for (const name of names.filter((each) => /(?<!\.test)\.tsx?$/.test(each))) {
        const source = await readFile(new URL(folder + name, ROOT), 'utf8')
        for (const [, from] of source.matchAll(/from '([^'.][^']*)'/g)) found.add(from ?? '')
      }
    }
    expect(found).toContain('preact')
    expect(found.size).toBeLessThanOrEqual(3)
    const inventory = await readFile(new URL('docs/decisions.md', ROOT), 'utf8')
    for (const name of found) expect(inventory).toContain(`\`${name}\``)
  })
})

interface Package {
  version: string
  integrity?: string
}
