import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contentSecurityPolicy } from '../http/content-security-policy.ts'
import { newBrowser, newPlatform, newUser, signIn } from '../../test/oauth.ts'
import { startTestApp } from '../../test/app.ts'
import { newLink } from '../../test/payer-client.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps

const PAYERS = [
  'default-src',
  'script-src',
  'style-src',
  'connect-src',
  'img-src',
  'form-action',
  'base-uri',
  'object-src',
  'frame-ancestors',
  'require-trusted-types-for',
  'trusted-types',
  'report-uri',
]

/** Parses a policy as browsers do. Throws on several policies and on a repeated directive. */
function parsed(policy: string | null): Map<string, string[]> {
  expect(policy).not.toContain(',')
  const directives = (policy ?? '').split(';').map((text) => text.trim().split(/\s+/))
  expect(new Set(directives.map(([name]) => name)).size).toBe(directives.length)
  return new Map(directives.map(([name = '', ...sources]) => [name, sources]))
}

const NASTY = [
  "https://a;script-src-elem'unsafe-inline'*;x/logo.png",
  "https://a,default-src'none'/logo.png",
  'https://a;sandbox/x',
  'https://[2606:4700::1]/x',
  'https://:1/',
  'https://[',
  'https://%zz/',
  "https://shop.example 'unsafe-inline'",
  'https://shop.example\r\nx: y',
  '*',
  "'unsafe-inline'",
  'https:',
  '',
]

const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary-ascii' }).map((host) => `https://${host}`),
  fc.string(),
  fc.webUrl(),
)

/** Stores values that the API refuses, as an older version may have stored them. */
async function store(logo: string, allowed: readonly string[]): Promise<void> {
  const branding = { key: 'a', name: 'A', channels: [], logo, theme: null }
  await db
    .updateTable('instances')
    .set((eb) => ({
      brandings: JSON.stringify([branding]),
      allowed_origins: JSON.stringify(allowed),
      v: eb('v', '+', 1),
    }))
    .where('id', '=', app.merchant.instance.id)
    .execute()
}

it('the page has its own directives only, whatever logo and origins are stored', async () => {
  const { id } = await newLink(app.merchant)
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { maxLength: 3 }), async (logo, allowed) => {
      await store(logo, [...allowed, 'https://shop.example'])
      const page = await app.call(`/pay/${id}?branding=a`)
      expect(page.status).toBe(200)
      const policy = parsed(page.headers.get('content-security-policy'))
      expect([...policy.keys()]).toEqual(PAYERS)
      expect(policy.get('script-src')?.[0]).toBe("'self'")
      expect(policy.get('script-src')).toHaveLength(2)
      expect(policy.get('style-src')).toHaveLength(1)
      expect(policy.get('img-src')?.slice(0, 2)).toEqual(["'self'", 'data:'])
      const others = policy.get('img-src')?.slice(2) ?? []
      for (const source of others) expect(new URL(logo).origin).toBe(source)
      expect(policy.get('frame-ancestors')).toContain('https://shop.example')
      for (const source of policy.get('frame-ancestors') ?? []) {
        expect([...allowed, 'https://shop.example']).toContain(source)
      }
    }),
    {
      numRuns: 60,
      examples: NASTY.map((nasty): [string, string[]] => [nasty, [nasty]]),
    },
  )
})

it.each(NASTY)('the API refuses the logo %j', async (logo) => {
  const body = { instance: { brandings: [{ key: 'a', name: 'A', logo }] } }
  const { status, json } = await app.merchant.api('/instances/default', { method: 'PUT', body })
  expect(status).toBe(400)
  expect(json.error.message).toContain('instance.brandings.0.logo must')
})

it.each([...NASTY, 'https://..', 'https://-.-..', 'https://shop.example:99999'])(
  'the API refuses the allowed origin %j',
  async (origin) => {
    const body = { instance: { allowed_origins: [origin] } }
    const { status, json } = await app.merchant.api('/instances/default', { method: 'PUT', body })
    expect(status).toBe(400)
    expect(json.error.message).toContain('instance.allowed_origins.0 must')
  },
)

it('the consent page has its own directives only, whatever redirect URIs a client has', async () => {
  const first = 'https://platform.example/callback'
  const platform = await newPlatform(app, { redirectUrls: [first] })
  const [browser, { email }] = [newBrowser(app), await newUser(app)]
  await signIn(browser, '/sign-in', email)
  for (const nasty of NASTY) {
    await db
      .updateTable('oauth_clients')
      .set({ redirect_urls: JSON.stringify([first, nasty]) })
      .where('id', '=', platform.id)
      .execute()
    const page = await browser.get(platform.request({ redirect_url: first }))
    expect(page.status, nasty).toBe(200)
    const policy = parsed(page.headers.get('content-security-policy'))
    expect([...policy.keys()]).toEqual([
      'default-src',
      'style-src',
      'img-src',
      'form-action',
      'base-uri',
      'frame-ancestors',
    ])
    expect(policy.get('form-action')?.slice(0, 2)).toEqual(["'self'", 'https://platform.example'])
  }
})

it('a policy has exactly the given directives and sources without invalid ones', () => {
  fc.assert(
    fc.property(fc.array(text), (sources) => {
      const policy = parsed(
        contentSecurityPolicy({ 'img-src': ["'self'", ...sources], 'frame-ancestors': sources }),
      )
      expect([...policy.keys()]).toEqual(['img-src', 'frame-ancestors'])
      for (const source of policy.get('img-src')?.slice(1) ?? []) expect(sources).toContain(source)
    }),
  )
})
