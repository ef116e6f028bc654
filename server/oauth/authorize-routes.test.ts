import { describe, expect, it } from 'vitest'
import { createInstance } from '../admin/create-instance.ts'
import { type ApiResponse, startTestApp } from '../../test/app.ts'
import {
  NAVIGATION,
  approve,
  locationOf,
  newBrowser,
  newPlatform,
  newTokens,
  newColleague,
  newUser,
  PASSWORD,
  REDIRECT,
  withToken,
  hiddenFields,
  signedInBrowser,
} from '../../test/oauth.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const { email } = await newUser(app)
const platform = await newPlatform(app)
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

const signedIn = (who = email) => signedInBrowser(app, who)

const expectPage = (answer: ApiResponse, status: number, detail?: string) => {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('location')).toBeNull()
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  if (detail !== undefined) expect(answer.text).toContain(detail)
}

const answerOf = (answer: ApiResponse) => {
  const url = new URL(locationOf(answer))
  expect(`${url.origin}${url.pathname}`).toBe('https://platform.example/callback')
  return url.searchParams
}

describe('a request that cannot be answered to its platform is a page', () => {
  it.each([
    ['no client', { client_id: undefined }, 'client_id is unknown'],
    ['an empty client', { client_id: '' }, 'client_id is unknown'],
    ['an unknown client', { client_id: 'oc_1_0000000000000000' }, 'client_id is unknown'],
    ['a client that no database takes', { client_id: 'oc_\0' }, 'client_id is unknown'],
    ['no address', { redirect_url: undefined }, 'redirect_url is required'],
    ['an address that is not registered', { redirect_url: 'https://evil.example' }, 'registered'],
    ['one character less', { redirect_url: REDIRECT.slice(0, -1) }, 'registered'],
    ['one character more', { redirect_url: `${REDIRECT}/` }, 'registered'],
    ['another case', { redirect_url: REDIRECT.replace('callback', 'Callback') }, 'registered'],
    ['another spelling', { redirect_url: REDIRECT.replace('back', '%62ack') }, 'registered'],
    ['another query', { redirect_url: REDIRECT.replace('7', '8') }, 'registered'],
    ['a deeper path', { redirect_url: REDIRECT.replace('callback', 'callback/x') }, 'registered'],
    ['a fragment', { redirect_url: `${REDIRECT}#x` }, 'registered'],
    ['plain http', { redirect_url: REDIRECT.replace('https', 'http') }, 'registered'],
    ['two addresses', { redirect_uri: 'https://platform.example/other' }, 'differ'],
  ] as [string, Record<string, string | undefined>, string][])(
    '%s',
    async (_what, parameters, detail) => {
      for (const browser of [newBrowser(app), await signedIn()]) {
        expectPage(await browser.get(platform.request(parameters)), 400, detail)
        const posted = await browser.post(platform.request(parameters), { decision: 'approve' })
        expectPage(posted, 400, detail)
      }
    },
  )

  it.each(['client_id', 'redirect_url'])('a second %s', async (name) => {
    const path = `${platform.request({ scope: 'read', anything: 'x' })}&${name}=y`
    expectPage(await newBrowser(app).get(path), 400, 'must not be repeated')
  })

  it('and shows what it was sent as text', async () => {
    const path = platform.request({ client_id: '<script>alert(1)</script>' })
    expect((await newBrowser(app).get(path)).text).not.toContain('<script>')
  })
})

describe('a request for what cannot be had goes back to its platform', () => {
  it.each([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'payments:admin' }, 'invalid_scope'],
    ['a scope of blanks', { scope: '  ' }, 'invalid_scope'],
    ['a plain challenge', { code_challenge: CHALLENGE }, 'invalid_request'],
    [
      'a challenge by plain',
      { code_challenge: CHALLENGE, code_challenge_method: 'plain' },
      'invalid_request',
    ],
    ['a method alone', { code_challenge_method: 'S256' }, 'invalid_request'],
    [
      'a challenge that is none',
      { code_challenge: 'short', code_challenge_method: 'S256' },
      'invalid_request',
    ],
  ] as [string, Record<string, string | undefined>, string][])(
    '%s',
    async (_what, parameters, error) => {
      const response = await newBrowser(app).get(platform.request({ state: 'a b', ...parameters }))
      const sent = answerOf(response)
      expect(Object.fromEntries(sent)).toEqual({
        error,
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
        state: 'a b',
        tenant: '7',
      })
    },
  )

  it.each(['state', 'scope', 'response_type', 'anything'])('a second %s', async (name) => {
    const path = platform.request({ scope: 'read', state: 'first', anything: 'x' })
    const sent = answerOf(await newBrowser(app).get(`${path}&${name}=y`))
    expect([sent.get('error'), sent.get('state')]).toEqual(['invalid_request', 'first'])
  })

  it('with the scope of processors, unless its client is registered for that by name', async () => {
    const scope = 'processors:write'
    const refused = answerOf(await newBrowser(app).get(platform.request({ scope })))
    expect(refused.get('error')).toBe('invalid_scope')
    const named = await newPlatform(app, { scopes: `write ${scope}` })
    const { text } = await (await signedIn()).get(named.request({ scope }))
    expect(text).toContain('which account at a payment processor receives your money')
  })

  it('with a scope that its client is not registered for', async () => {
    const modest = await newPlatform(app, { scopes: 'accounts:read' })
    for (const scope of ['payments:read', 'accounts:write', 'read']) {
      const response = await newBrowser(app).get(modest.request({ scope }))
      expect(answerOf(response).get('error')).toBe('invalid_scope')
    }
  })

  it.each([{ requirePkce: true }, { isPublic: true }])(
    'without PKCE from a client with %j',
    async (options) => {
      const strict = await newPlatform(app, options)
      const response = await newBrowser(app).get(strict.request())
      expect(answerOf(response).get('error')).toBe('invalid_request')
      const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
      const accepted = await newBrowser(app).get(strict.request(pkce))
      expect(locationOf(accepted)).toMatch(/^\/sign-in\?/)
    },
  )
})

describe('a merchant', () => {
  it('signs in, approves, and is sent back with a code and the state', async () => {
    const sent = await approve(app, email, platform.request({ state: 'xyz' }))
    expect([...sent.keys()]).toEqual(['tenant', 'code', 'state'])
    expect([sent.get('tenant'), sent.get('state')]).toEqual(['7', 'xyz'])
    expect((await platform.exchange(sent.get('code') ?? '')).status).toBe(200)
  })

  it('denies, and the platform learns that and nothing else', async () => {
    const browser = await signedIn()
    const path = platform.request({ state: 'xyz' })
    const sent = answerOf(await browser.submit(path, { decision: 'deny' }))
    expect(Object.fromEntries(sent)).toEqual({
      tenant: '7',
      error: 'access_denied',
      error_description: 'the user did not approve',
      state: 'xyz',
    })
  })

  it('is asked every time, whatever they approved before', async () => {
    const browser = await signedIn()
    const path = platform.request()
    for (let i = 0; i < 2; i += 1) {
      const page = await browser.get(path)
      expect(page.status).toBe(200)
      locationOf(await browser.send(path, page, { decision: 'approve' }))
    }
  })

  it('reads who asks, for whose data, for what and until when, and who they are', async () => {
    const browser = await signedIn()
    const { text } = await browser.get(platform.request({ scope: 'payments:write accounts:read' }))
    for (const words of [
      'Ledgerly asks for access',
      'Corner Shop',
      'Test mode',
      'Payments and refunds',
      'This includes taking payments and giving refunds.',
      'Customers and their saved payment methods',
      'The access ends on May 1, 2031, or as soon as Ledgerly gives it back.',
      'you go back to platform.example.',
      email,
    ]) {
      expect(text).toContain(words)
    }
    expect(text.match(/class="level">\s*\w+/g)?.map((part) => part.split(/>\s*/)[1])).toEqual([
      'Change',
      'View',
    ])
    expect(text).not.toContain('Settings')
  })

  it.each([
    ['webhooks:read', 'Events carry the records of every area', 1],
    ['webhooks:write', 'to an address that Ledgerly chooses', 1],
    ['payment_links:read', 'the customer details that they hold', 1],
    ['payment_links:write', null, 0],
    ['payments:read', 'the customer details that they hold', 1],
    ['payment_links:read payments:read', 'the customer details that they hold', 1],
    ['instances:write', 'which websites may show your payment pages', 2],
    ['instances:write', 'which of your companies is paid', 2],
    ['payments:write charges:write', 'This includes taking payments', 1],
    ['webhooks:read webhooks:write', 'Events carry the records of every area', 2],
    ['write', 'to an address that Ledgerly chooses', 4],
    ['read', 'Events carry the records of every area', 2],
  ])('reads what %s opens beyond the name of its area', async (scope, words, notes) => {
    const browser = await signedIn()
    const { text } = await browser.get(platform.request({ scope }))
    if (words !== null) expect(text).toContain(words)
    expect(text.match(/class="note"/g) ?? []).toHaveLength(notes)
    const german = await browser.get(platform.request({ scope, lang: 'de' }))
    expect(german.text.match(/class="note"/g) ?? []).toHaveLength(notes)
    if (words !== null) expect(german.text).not.toContain(words)
  })

  it('reads names as text, whatever is in them', async () => {
    const odd = await newPlatform(app, { name: '<b>Odd</b> & "Sons"' })
    const { text } = await (await signedIn()).get(odd.request())
    expect(text).toContain('&lt;b&gt;Odd&lt;/b&gt; &amp; &quot;Sons&quot;')
  })

  it('with several instances chooses one, and the token is for that one', async () => {
    const merchant = `Two shops ${Math.random()}`
    const user = { email: `two-${Math.random()}@shop.example`, password: PASSWORD }
    await createInstance(deps, { merchant, key: 'default', name: 'First', user })
    await createInstance(deps, { merchant, key: 'second', name: 'Second', mode: 'LIVE' })
    const browser = await signedIn(user.email)
    const path = platform.request()
    const page = await browser.get(path)
    expect(page.text).toContain('value="default"')
    expect(page.text).toContain('value="second"')
    expect(page.text).not.toMatch(/<input[^>]*\schecked/)
    const wrong: Record<string, string>[] = [{}, { instance: 'third' }, { instance: '' }]
    for (const fields of wrong) {
      const again = await browser.send(path, page, { decision: 'approve', ...fields })
      expectPage(again, 400, 'Choose one of these.')
    }
    const chosen = { decision: 'approve', instance: 'second' }
    const code = answerOf(await browser.send(path, page, chosen)).get('code') ?? ''
    const { access_token } = (await platform.exchange(code)).json
    const api = withToken(app, access_token)
    expect((await api('/instances/second')).status).toBe(200)
    expect((await api('/instances/default')).status).toBe(404)
  })

  it('asks for everything that the client is registered for, when it names no scope', async () => {
    const modest = await newPlatform(app, { scopes: 'accounts:read charges:read' })
    const { access_token } = await newTokens(app, email, modest)
    const api = withToken(app, access_token)
    expect((await api('/accounts')).status).toBe(200)
    expect((await api('/charges')).status).toBe(200)
    expect((await api('/strings')).status).toBe(403)
  })

  it('may be sent with redirect_uri, which is what libraries say', async () => {
    const parameters = { redirect_url: undefined, redirect_uri: REDIRECT }
    const sent = await approve(app, email, platform.request(parameters))
    const fields = { redirect_url: '', redirect_uri: REDIRECT }
    expect((await platform.exchange(sent.get('code') ?? '', fields)).status).toBe(400)
    const again = await approve(app, email, platform.request(parameters))
    const code = { grant_type: 'authorization_code', code: again.get('code') ?? '' }
    expect((await platform.token({ ...code, redirect_uri: REDIRECT })).status).toBe(200)
  })
})

describe('state', () => {
  it('comes back as the bytes that were sent, and not at all when it was not', async () => {
    const browser = await signedIn()
    const stateOf = async (query: string) => {
      const path = platform.request({ state: undefined }) + query
      const location = locationOf(await browser.submit(path, { decision: 'deny' }))
      return /[?&]state=([^&]*)/.exec(location)?.[1]
    }
    expect(await stateOf('')).toBeUndefined()
    expect(await stateOf('&state=')).toBe('')
    expect(await stateOf('&state=%FF%00')).toBe('%FF%00')
  })
})

describe('the approval', () => {
  it('needs the field of this very page: of this session and this request', async () => {
    const [mine, yours] = [await signedIn(), await signedIn((await newUser(app)).email)]
    const path = platform.request({ scope: 'accounts:read' })
    const page = await mine.get(path)
    const { token = '', ...hidden } = hiddenFields(page)
    const approved = { decision: 'approve', ...hidden }
    const wider = platform.request({ scope: 'accounts:read payments:write' })
    const elsewhere = platform.request({ scope: 'accounts:read', state: 'other' })
    for (const [browser, address, fields] of [
      [mine, path, approved],
      [mine, path, { ...approved, token: '' }],
      [mine, path, { ...approved, token: `${token}x` }],
      [mine, wider, { ...approved, token }],
      [mine, elsewhere, { ...approved, token }],
      [yours, path, { ...approved, token }],
    ] as const) {
      expectPage(await browser.post(address, fields), 403, 'Please try again.')
    }
    expect(answerOf(await mine.post(path, { ...approved, token })).has('code')).toBe(true)
  })

  it('is for the merchant’s own instances only', async () => {
    const other = await newUser(app, { key: 'theirs' })
    const browser = await signedIn()
    const fields = { decision: 'approve', instance: other.merchant.instance.key }
    expectPage(await browser.submit(platform.request(), fields), 400)
  })

  it.each(['SUPPORT', 'EDITOR', 'VIEWER'] as const)('is not given by a %s', async (role) => {
    const { merchant } = await newUser(app)
    const browser = await signedIn((await newColleague(app, merchant, { role })).email)
    expectPage(await browser.get(platform.request()), 403)
  })

  it('is for instances that the user can open', async () => {
    const { merchant } = await newUser(app)
    const one = JSON.stringify(['ins_elsewhere'])
    const browser = await signedIn((await newColleague(app, merchant, { instances: one })).email)
    expectPage(await browser.get(platform.request()), 403)
  })

  it('is no form from another site', async () => {
    const browser = await signedIn()
    const page = await browser.get(platform.request())
    const fields = { ...hiddenFields(page), decision: 'approve' }
    const headers = { 'sec-fetch-site': 'cross-site' }
    expectPage(await browser.post(platform.request(), fields, { headers }), 403)
  })

  it('without a session redirects to the sign-in and back to the consent page', async () => {
    const location = locationOf(
      await newBrowser(app).post(platform.request(), { decision: 'approve' }),
    )
    expect(location).toBe(`/sign-in?return=${encodeURIComponent(platform.request())}`)
  })

  it('without a decision is asked again', async () => {
    const browser = await signedIn()
    expectPage(await browser.submit(platform.request(), { instance: 'default' }), 200)
  })
})

describe('the page', () => {
  it('cannot be framed or cached, sends no referrer, and allows a redirect to the platform', async () => {
    const local = await newPlatform(app, {
      redirectUrls: ['http://localhost:3999/cb'],
      development: true,
    })
    const two = await newPlatform(app, {
      redirectUrls: ['https://api.platform.example/cb', 'https://platform.example/connected'],
    })
    const browser = await signedIn()
    for (const [path, origin] of [
      [platform.request(), 'https://platform.example'],
      [local.request(), 'http://localhost:3999'],
      [two.request(), 'https://api.platform.example https://platform.example'],
    ] as const) {
      const { headers } = await browser.get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy.split('; ')).toEqual([
        "default-src 'none'",
        expect.stringMatching(/^style-src 'sha256-[\w+/]+={0,2}'$/),
        'img-src data:',
        `form-action 'self' ${origin}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ])
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('and every step on the way leave the platform’s window its opener', async () => {
    const browser = newBrowser(app)
    const first = await browser.get(platform.request())
    const form = await browser.get(locationOf(first))
    const second = await browser.send(locationOf(first), form, { email, password: PASSWORD })
    const page = await browser.get(platform.request())
    const last = await browser.send(platform.request(), page, { decision: 'approve' })
    for (const { headers } of [first, form, second, page, last]) {
      expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  it('has no other methods', async () => {
    const response = await app.call('/oauth/authorize', { method: 'PUT' })
    expectPage(response, 405)
    expect(response.headers.get('allow')).toBe('GET, POST')
  })

  it('holds no script and no style but its own', async () => {
    const { text } = await (await signedIn()).get(platform.request())
    expect(text).not.toMatch(
      /<script|<link(?! rel="icon" href="data:,")|style=|javascript:|\son\w+=/,
    )
  })

  it('speaks the language of the browser, or the one that is asked for', async () => {
    const browser = await signedIn()
    const german = await browser.get(platform.request(), { 'accept-language': 'de-AT,de;q=0.9' })
    expect(german.text).toContain('<html lang="de" dir="ltr">')
    const arabic = await browser.get(platform.request({ lang: 'ar' }))
    expect(arabic.text).toContain('<html lang="ar" dir="rtl">')
    const signInPage = await newBrowser(app).get(
      locationOf(await newBrowser(app).get(platform.request({ lang: 'ar' }))),
    )
    expect(signInPage.text).toContain('<html lang="ar" dir="rtl">')
    const toWording = '/sign-in?return=%2Fconsole%2Fdefault%2Fwording%3Flang%3Dar'
    expect((await app.call(toWording, { headers: NAVIGATION })).text).toContain('<html lang="en"')
  })
})
