import { describe, expect, it } from 'vitest'
import { type ApiResponse, basic, type Call, startTestApp } from '../../test/app.ts'
import { disableClient } from './clients.ts'
import {
  newCode,
  newPlatform,
  newTokens,
  newUser,
  withToken,
  formCall,
  opens,
  setCount,
} from '../../test/oauth.ts'

const app = await startTestApp()
const { email } = await newUser(app)
const platform = await newPlatform(app)
const tokens = await newTokens(app, email, platform)
const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
const DAY = 86_400_000

const send = (fields: Record<string, string>, headers: Record<string, string> = {}, path = '') =>
  app.call(`/oauth/token${path}`, formCall(fields, { headers }))

const errorOf = ({ status, json }: ApiResponse) => [status, json.error]

describe('a client proves who it is', () => {
  const { id, secret } = platform
  const encoded = (text: string) =>
    [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16)}`).join('')

  it.each([
    ['by Basic', {}, { authorization: basic(`${id}:${secret}`) }],
    ['by Basic in any case', {}, { authorization: basic(`${id}:${secret}`).replace('B', 'b') }],
    [
      'by Basic, form-encoded inside',
      {},
      { authorization: basic(`${encoded(id)}:${encoded(secret)}`) },
    ],
    ['by fields', { client_id: id, client_secret: secret }, {}],
    [
      'by both, when they say the same',
      { client_id: id, client_secret: secret },
      { authorization: basic(`${id}:${secret}`) },
    ],
    [
      'by Basic, with an empty secret beside it',
      { client_id: id, client_secret: '' },
      { authorization: basic(`${id}:${secret}`) },
    ],
  ] as [string, Record<string, string>, Record<string, string>][])(
    '%s',
    async (_how, fields, headers) => {
      expect((await send({ ...refresh, ...fields }, headers)).status).toBe(200)
    },
  )

  it.each([
    ['nothing', {}, {}],
    ['an id alone', { client_id: id }, {}],
    ['a wrong secret', { client_id: id, client_secret: `${secret}x` }, {}],
    ['an unknown id', { client_id: 'oc_1_0000000000000000', client_secret: secret }, {}],
    ['an id that no database takes', { client_id: 'oc_\0', client_secret: secret }, {}],
    ['a wrong secret by Basic', {}, { authorization: basic(`${id}:wrong`) }],
    ['no colon', {}, { authorization: basic(id) }],
    ['no id', {}, { authorization: basic(`:${secret}`) }],
    ['a broken escape', {}, { authorization: basic(`${id}:%zz`) }],
    ['what is not base64', {}, { authorization: 'Basic ***' }],
    ['a token', {}, { authorization: `Bearer ${tokens.access_token}` }],
    ['a merchant’s secret key', {}, { authorization: basic(`${app.merchant.secretKey}:`) }],
  ] as [string, Record<string, string>, Record<string, string>][])(
    'and not by %s',
    async (_how, fields, headers) => {
      const response = await send({ ...refresh, ...fields }, headers)
      expect(errorOf(response)).toEqual([401, 'invalid_client'])
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic /)
    },
  )

  it('with credentials in the query, which are not read', async () => {
    const fields = { client_id: id, client_secret: secret, ...refresh }
    const query = new URLSearchParams(fields).toString()
    expect(errorOf(await send({}, {}, `?${query}`))).toEqual([401, 'invalid_client'])
    expect(errorOf(await send(refresh, {}, `?${query}`))).toEqual([401, 'invalid_client'])
  })

  it('and gets an error when header and body name two of them', async () => {
    const authorization = basic(`${id}:${secret}`)
    const others: Record<string, string>[] = [
      { client_id: 'oc_other' },
      { client_id: id, client_secret: 'other' },
    ]
    for (const fields of others) {
      expect(errorOf(await send({ ...refresh, ...fields }, { authorization }))).toEqual([
        400,
        'invalid_request',
      ])
    }
  })

  it('until it is disabled', async () => {
    const deleted = await newPlatform(app)
    const theirs = await newTokens(app, email, deleted)
    const code = await newCode(app, email, deleted)
    const api = withToken(app, theirs.access_token)
    expect((await api('/accounts')).status).toBe(200)
    expect(await disableClient(app.checkstand.deps, deleted.id)).toBe(true)
    expect((await api('/accounts')).status).toBe(401)
    expect(errorOf(await deleted.refresh(theirs.refresh_token))).toEqual([401, 'invalid_client'])
    expect(errorOf(await deleted.exchange(code))).toEqual([401, 'invalid_client'])
    expect((await app.call(deleted.request())).status).toBe(400)
    expect(await disableClient(app.checkstand.deps, deleted.id)).toBe(false)
    const grants = await app.checkstand.deps.db
      .selectFrom('oauth_grants')
      .select('revoked')
      .where('client_id', '=', deleted.id)
      .execute()
    expect(grants.map(({ revoked }) => revoked !== null)).toEqual([true, true])
  })
})

describe('a request for tokens', () => {
  it.each([
    ['no grant_type', { refresh_token: 'x' }, 'invalid_request'],
    ['an empty grant_type', { grant_type: '' }, 'invalid_request'],
    ['a grant that we do not have', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['client credentials', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ['no code', { grant_type: 'authorization_code' }, 'invalid_request'],
    ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
  ] as [string, Record<string, string>, string][])('with %s', async (_what, fields, error) => {
    expect(errorOf(await platform.token(fields))).toEqual([400, error])
  })

  it('may not say anything twice', async () => {
    const raw = `${new URLSearchParams(refresh).toString()}&grant_type=refresh_token`
    expect(errorOf(await platform.token({}, { raw }))).toEqual([400, 'invalid_request'])
  })

  it.each([
    ['JSON', { raw: JSON.stringify(refresh), headers: { 'content-type': 'application/json' } }],
    ['plain text', { headers: { 'content-type': 'text/plain' } }],
    ['a form of 65 kB', { raw: `grant_type=${'x'.repeat(65_000)}` }],
  ] as [string, Call][])('is a form, and not %s', async (_what, call) => {
    expect(errorOf(await platform.token(refresh, call))).toEqual([400, 'invalid_request'])
  })

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('is no %s', async (method) => {
    const response = await app.call('/oauth/token', { method })
    expect(errorOf(response)).toEqual([405, 'invalid_request'])
    expect(response.headers.get('allow')).toBe('POST')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('that fails is logged with the client and the reason, and with nothing that was sent', async () => {
    const before = app.logged().length
    await platform.token({ grant_type: 'refresh_token', refresh_token: 'rt_should_not_be_logged' })
    await send({ client_id: platform.id, client_secret: 'cs_should_not_be_logged', ...refresh })
    const logged = app.logged().slice(before)
    expect(logged).toContain(`"client":"${platform.id}","error":"invalid_grant"`)
    expect(logged).toContain('"error":"invalid_client"')
    expect(logged).not.toContain('should_not')
    expect(logged).not.toContain(tokens.refresh_token)
  })
})

describe('a refresh', () => {
  it('gives exactly three members, and the refresh token stays as it is', async () => {
    const first = await platform.refresh(tokens.refresh_token)
    expect(first.json).toEqual({
      access_token: expect.stringMatching(/^at_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
    })
    expect(first.headers.get('cache-control')).toBe('no-store')
    const second = await platform.refresh(tokens.refresh_token)
    expect(second.json.access_token).not.toBe(first.json.access_token)
    for (const { json } of [first, second]) {
      expect(await opens(app, json)).toBe(true)
    }
  })

  it('may ask for less than was approved, but never for more', async () => {
    const { refresh_token } = await newTokens(app, email, platform, {
      scope: 'accounts:read accounts:write charges:read',
    })
    const less = await platform.refresh(refresh_token, { scope: 'accounts:read' })
    const api = withToken(app, less.json.access_token)
    expect((await api('/accounts')).status).toBe(200)
    expect((await api('/charges')).status).toBe(403)
    for (const scope of ['accounts:read payments:read', 'read', 'unknown']) {
      const more = await platform.refresh(refresh_token, { scope })
      expect(errorOf(more)).toEqual([400, 'invalid_scope'])
    }
    const whole = await platform.refresh(refresh_token)
    expect((await withToken(app, whole.json.access_token)('/charges')).status).toBe(200)
  })

  it('works for the token’s own client only, and with a refresh token only', async () => {
    const other = await newPlatform(app)
    for (const response of [
      await other.refresh(tokens.refresh_token),
      await platform.refresh(tokens.access_token),
      await platform.refresh('rt_unknown'),
    ]) {
      expect(errorOf(response)).toEqual([400, 'invalid_grant'])
    }
  })
})

describe('a flood of requests', () => {
  it('of one client is limited without affecting others', async () => {
    const busy = await newPlatform(app)
    await busy.refresh('rt_none')
    await setCount(app, 'oauth-client', busy.id, 1199)
    expect(errorOf(await busy.refresh('rt_none'))).toEqual([400, 'invalid_grant'])
    const slowed = await busy.refresh('rt_none')
    expect(errorOf(slowed)).toEqual([429, 'temporarily_unavailable'])
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await platform.refresh(tokens.refresh_token)).status).toBe(200)
    app.pass(60_000)
    expect((await busy.refresh('rt_none')).status).toBe(400)
  })

  it('without valid client credentials does not count against the client', async () => {
    const victim = await newPlatform(app)
    await victim.refresh('rt_none')
    await setCount(app, 'oauth-client', victim.id, 1199)
    const wrong = { client_id: victim.id, client_secret: 'wrong' }
    for (let i = 0; i < 3; i += 1) expect((await send({ ...refresh, ...wrong })).status).toBe(401)
    expect((await victim.refresh('rt_none')).status).toBe(400)
  })

  it('of wrong credentials is slowed down by address, and right ones pass', async () => {
    const { security } = app.checkstand.deps
    const from = '203.0.113.9'
    const ours = await newPlatform(app)
    const wrong = { authorization: basic(`${ours.id}:wrong`) }
    const ask = (headers: Record<string, string> = {}) =>
      ours.token({ grant_type: 'refresh_token', refresh_token: 'rt_none' }, { from, headers })
    expect((await ask(wrong)).status).toBe(401)
    await setCount(app, 'oauth-address', from, 600)
    const before = security.counts().get('token_requests_limited') ?? 0
    expect(errorOf(await ask(wrong))).toEqual([429, 'temporarily_unavailable'])
    expect(security.counts().get('token_requests_limited')).toBe(before + 1)
    expect(errorOf(await ask())).toEqual([400, 'invalid_grant'])
  })

  it('of a client without a secret is counted by address, since its id is public', async () => {
    const publicClient = await newPlatform(app, { isPublic: true, requirePkce: true })
    const ask = (from: string) =>
      app.call(
        '/oauth/token',
        formCall({ ...refresh, refresh_token: 'rt_none', client_id: publicClient.id }, { from }),
      )
    expect((await ask('203.0.113.10')).status).toBe(400)
    await setCount(app, 'oauth-address', '203.0.113.10', 600)
    expect((await ask('203.0.113.10')).status).toBe(429)
    expect((await ask('203.0.113.11')).status).toBe(400)
  })

  it('of one address is slowed down before anything is looked at', async () => {
    const from = '203.0.113.7'
    const ask = (address = from) =>
      app.call('/oauth/token', { method: 'POST', raw: 'x', from: address })
    expect((await ask()).status).toBe(400)
    await setCount(app, 'oauth-address', from, 599)
    expect((await ask()).status).toBe(400)
    expect(errorOf(await ask())).toEqual([429, 'temporarily_unavailable'])
    expect((await ask('203.0.113.8')).status).toBe(400)
  })
})

// Last, because it moves the clock that all tests share.
it('a refresh token lives 365 days, to the millisecond', async () => {
  const { refresh_token } = await newTokens(app, email, platform)
  app.pass(365 * DAY - 1)
  expect((await platform.refresh(refresh_token)).status).toBe(200)
  app.pass(1)
  expect(errorOf(await platform.refresh(refresh_token))).toEqual([400, 'invalid_grant'])
})
