import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type ApiResponse, BASE, type Call, startTestApp, type TestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { builtScripts, pageOf, policyOf, scriptOf } from './payer-page.ts'

const app = await startTestApp()
const secure = await startTestApp({ BASE_URL: 'https://pay.shop.test' })

describe('the policy of the payer’s page', () => {
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
      const response = await report({
        'csp-report': {
          'document-uri': `${BASE}/pay/pl_secret_0123456789`,
          referrer: `${BASE}/pay/pl_secret_0123456789`,
          'effective-directive': 'script-src-elem',
          'violated-directive': "script-src 'self'",
          'blocked-uri': `https://evil.example/steal?card=${CARDS.approve}`,
          'source-file': `${BASE}/pay/pl_secret_0123456789`,
          'script-sample': CARDS.approve,
        },
      })
      expect([response.status, response.text]).toEqual([204, ''])
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

describe('framing by another site', () => {
  it.each([
    ['a page', () => pageOf(app)],
    ['a page about nothing', () => app.call('/pay/pl_unknown_1')],
    ['the API', () => app.merchant.api('/payment_links')],
    ['an error of the API', () => app.call('/c/api/payment_links')],
    ['a script', async () => app.call(scriptOf(await pageOf(app)).url)],
  ])('is forbidden for %s', async (_what, ask) => {
    expect(policyOf(await ask())).toContain("frame-ancestors 'none'")
  })
})

const EVERYTHING: [string, (server: TestApp) => Promise<ApiResponse>][] = [
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

describe('the headers of every answer', () => {
  it.each(EVERYTHING)('%s', async (what, ask) => {
    const { headers } = await ask(app)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toMatch(/^(strict-origin|no-referrer)$/)
    expect(headers.has('cross-origin-opener-policy')).toBe(true)
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    for (const name of ['x-frame-options', 'x-powered-by', 'server']) {
      expect(headers.has(name), name).toBe(false)
    }
    // Every program may read the description, and the reference has an origin of its own.
    const readers = what === 'the OpenAPI document' ? '*' : null
    expect(headers.get('access-control-allow-origin')).toBe(readers)
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

describe('the page’s script', () => {
  it('is the one that the page was made with, by its hash', async () => {
    const { url, integrity } = scriptOf(await pageOf(app))
    const { status, text } = await app.call(url)
    expect(status).toBe(200)
    expect(integrity).toBe(`sha256-${createHash('sha256').update(text).digest('base64')}`)
  })

  it('has parts that come later, each as it was built, and no other', async () => {
    const { text } = await pageOf(app)
    const map = /<script type="importmap">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
    const { integrity, ...rest } = JSON.parse(map) as { integrity: Record<string, string> }
    expect(rest).toEqual({})
    const { url: main } = scriptOf(await pageOf(app))
    const names = (await builtScripts()).map(({ name }) => `/assets/${name}`)
    // What only connected processors or a few options need is for pages that have these.
    const parts = names.filter(
      (name) => !/^\/assets\/(framed-card|bank-methods|choice|entity|owed)-/.test(name),
    )
    expect(names.length - parts.length).toBe(5)
    expect([...Object.keys(integrity), main].toSorted()).toEqual(parts.toSorted())
    for (const [url, hash] of Object.entries(integrity)) {
      const part = await app.call(url)
      expect(hash).toBe(`sha256-${createHash('sha256').update(part.text).digest('base64')}`)
    }
    // A map that came after the first module would be ignored.
    expect(text.indexOf('importmap')).toBeLessThan(text.indexOf('type="module"'))
  })
})

describe('third parties', () => {
  it('are neither in the page nor in what it loads', async () => {
    const { text } = await pageOf(app)
    const loads = [...text.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, url]) => url)
    expect(loads.length).toBeGreaterThan(1)
    for (const url of loads) expect(url).toMatch(/^(\/(?!\/)|data:|#|\?|$)/)
    for (const { name, source } of await builtScripts()) {
      const hosts = [...source.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host)
      // XML namespaces are names and are never requested.
      expect(
        hosts.filter((host) => host !== 'www.w3.org'),
        name,
      ).toEqual([])
    }
  })
})
