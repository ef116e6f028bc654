import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type ApiResponse, startTestApp } from '../../test/app.ts'
import {
  REDIRECT,
  newCode,
  newPlatform,
  newTokens,
  newUser,
  formCall,
  opens,
} from '../../test/oauth.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const { email } = await newUser(app)
const platform = await newPlatform(app)
const other = await newPlatform(app, { name: 'Another platform' })
const MINUTE = 60_000

const expectRefused = (answer: ApiResponse, error = 'invalid_grant') => {
  expect([answer.status, answer.json.error]).toEqual([400, error])
  expect(answer.json.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(Object.keys(answer.json)).toEqual(['error', 'error_description'])
}

describe('a code', () => {
  it('returns exactly four members, once, and must not be cached', async () => {
    const response = await platform.exchange(await newCode(app, email, platform))
    expect(response.status).toBe(200)
    expect(response.json).toEqual({
      access_token: expect.stringMatching(/^at_[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^rt_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
    })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('pragma')).toBe('no-cache')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(await opens(app, response.json)).toBe(true)
  })

  it('and the tokens are stored as SHA-256 and in no other form', async () => {
    const code = await newCode(app, email, platform)
    const { json } = await platform.exchange(code)
    const secrets = [code, json.access_token, json.refresh_token]
    const rows = [
      ...(await db.selectFrom('oauth_codes').selectAll().execute()),
      ...(await db.selectFrom('oauth_tokens').selectAll().execute()),
    ]
    const stored = JSON.stringify(rows)
    for (const secret of secrets) {
      expect(code).toMatch(/^cd_[\w-]{43}$/)
      expect(stored).not.toContain(secret.slice(3))
      expect(stored).toContain(createHash('sha256').update(secret).digest('hex'))
    }
  })

  it('lives fifteen minutes, to the millisecond', async () => {
    const [early, late] = [await newCode(app, email, platform), await newCode(app, email, platform)]
    app.pass(15 * MINUTE - 1)
    expect((await platform.exchange(early)).status).toBe(200)
    app.pass(1)
    expectRefused(await platform.exchange(late))
  })

  it('that comes again ends everything that came of it', async () => {
    const code = await newCode(app, email, platform)
    const first = await platform.exchange(code)
    const more = await platform.refresh(first.json.refresh_token)
    expect([await opens(app, first.json), await opens(app, more.json)]).toEqual([true, true])
    expectRefused(await platform.exchange(code))
    expect([await opens(app, first.json), await opens(app, more.json)]).toEqual([false, false])
    expectRefused(await platform.refresh(first.json.refresh_token))
  })

  it('that comes again when it has long expired ends it all the same', async () => {
    const code = await newCode(app, email, platform)
    const first = await platform.exchange(code)
    app.pass(20 * MINUTE)
    expectRefused(await platform.exchange(code))
    expectRefused(await platform.refresh(first.json.refresh_token))
  })

  it('ends nothing of another grant of the same merchant and platform', async () => {
    const kept = await newTokens(app, email, platform)
    const code = await newCode(app, email, platform)
    await platform.exchange(code)
    await platform.exchange(code)
    expect((await platform.refresh(kept.refresh_token)).status).toBe(200)
  })

  it('of another client is not known, and stays good for its own', async () => {
    const code = await newCode(app, email, platform)
    expectRefused(await other.exchange(code))
    const response = await platform.exchange(code)
    expect(response.status).toBe(200)
    expectRefused(await other.exchange(code))
    expect(await opens(app, response.json)).toBe(true)
  })

  it('is not touched by a client that does not prove who it is', async () => {
    const code = await newCode(app, email, platform)
    const fields = { grant_type: 'authorization_code', code, redirect_url: REDIRECT }
    const wrong = { headers: { authorization: `Basic ${btoa(`${platform.id}:cs_wrong`)}` } }
    expect((await platform.token(fields, wrong)).status).toBe(401)
    expect((await platform.exchange(code)).status).toBe(200)
  })

  it.each([
    ['another address', { redirect_url: 'https://platform.example/callback' }],
    [
      'an address in another spelling',
      { redirect_url: REDIRECT.replace('callback', '%63allback') },
    ],
    ['no address', { redirect_url: '' }],
    ['a verifier without a challenge', { code_verifier: 'v'.repeat(43) }],
  ])('is burnt by %s', async (_what, fields) => {
    const code = await newCode(app, email, platform)
    expectRefused(await platform.exchange(code, fields))
    expectRefused(await platform.exchange(code))
  })

  it('is not used up by a request that says two addresses', async () => {
    const code = await newCode(app, email, platform)
    const fields = { redirect_uri: 'https://platform.example/other' }
    expectRefused(await platform.exchange(code, fields), 'invalid_request')
    expect((await platform.exchange(code, { redirect_uri: REDIRECT })).status).toBe(200)
  })

  it('that never was is refused like one that is over', async () => {
    expectRefused(await platform.exchange('cd_never'))
    expectRefused(await platform.exchange('\0'))
  })
})

describe('twenty exchanges of one code at once', () => {
  it('give exactly one success, whose tokens the others have ended', async () => {
    const code = await newCode(app, email, platform)
    const answers = await Promise.all(Array.from({ length: 20 }, () => platform.exchange(code)))
    const successes = answers.filter(({ status }) => status === 200)
    expect(successes).toHaveLength(1)
    for (const response of answers) {
      if (response !== successes[0]) expectRefused(response)
    }
    expect(await opens(app, successes[0]?.json)).toBe(false)
    const tokens = await db
      .selectFrom('oauth_tokens')
      .innerJoin('oauth_codes', 'oauth_codes.grant_id', 'oauth_tokens.grant_id')
      .select('kind')
      .where('oauth_codes.hash', '=', createHash('sha256').update(code).digest('hex'))
      .execute()
    expect(tokens.map(({ kind }) => kind).toSorted()).toEqual(['ACCESS', 'REFRESH'])
  })
})

describe('PKCE', () => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  // The example of RFC 7636, appendix B.
  const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' }
  const method = { code_challenge_method: 'S256' }
  const protectedCode = () => newCode(app, email, platform, { ...challenge, ...method })

  it('returns tokens for the right verifier', async () => {
    const response = await platform.exchange(await protectedCode(), { code_verifier: verifier })
    expect(response.status).toBe(200)
  })

  it.each([
    ['none', {}],
    ['an empty one', { code_verifier: '' }],
    ['another', { code_verifier: `${verifier.slice(0, -1)}X` }],
    ['the challenge', { code_verifier: challenge.code_challenge }],
    ['one that is too short', { code_verifier: 'short' }],
  ])('refuses %s, and burns the code', async (_what, fields) => {
    const code = await protectedCode()
    expectRefused(await platform.exchange(code, fields))
    expectRefused(await platform.exchange(code, { code_verifier: verifier }))
  })

  it('is what a public client proves itself by', async () => {
    const open = await newPlatform(app, { isPublic: true })
    const fields = { grant_type: 'authorization_code', client_id: open.id, redirect_url: REDIRECT }
    const code = await newCode(app, email, open, { ...challenge, ...method })
    const send = (more: Record<string, string>) =>
      app.call('/oauth/token', formCall({ ...fields, code, ...more }))
    const invented = await send({ client_secret: 'cs_invented', code_verifier: verifier })
    expect([invented.status, invented.json.error]).toEqual([401, 'invalid_client'])
    expect((await send({ code_verifier: verifier })).status).toBe(200)
  })
})
