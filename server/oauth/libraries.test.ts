import { OAuth2Client } from '@badgateway/oauth2-client'
import ClientOAuth2 from 'client-oauth2'
import * as openid from 'openid-client'
import passport, { type PassportRequest } from 'passport-oauth2'
import { AuthorizationCode } from 'simple-oauth2'
import { describe, expect, it, vi } from 'vitest'
import { BASE, startTestApp } from '../../test/app.ts'
import { approve, newPlatform, newUser, opens } from '../../test/oauth.ts'
import { freePort } from '../../test/program.ts'

// Passwords are hashed slowly on purpose, and a busy machine is slower still.
vi.setConfig({ testTimeout: 30_000 })

/**
 * Client libraries of others, as they are published, against a listening server: what they agree
 * on is what OAuth means to platforms.
 */

const REDIRECT = 'https://platform.example/callback'
const port = await freePort()
const app = await startTestApp({ PORT: String(port) })
await app.checkstand.start()
const { email } = await newUser(app)

const SERVER = `http://127.0.0.1:${port}`
const ENDPOINTS = {
  authorize: `${BASE}/oauth/authorize`,
  token: `${SERVER}/oauth/token`,
  revoke: `${SERVER}/oauth/revoke`,
}

const newClient = () => newPlatform(app, { redirectUrls: [REDIRECT] })

/** The merchant signs in and approves. Returns the URL that the platform is called at. */
async function called(url: string): Promise<URL> {
  const parameters = await approve(app, email, url.slice(BASE.length))
  return new URL(`${REDIRECT}?${parameters.toString()}`)
}

interface Journey {
  /** Goes from a code to tokens. */
  connect: () => Promise<{ access: string; refresh: string }>
  /** Gets one more access token. */
  refresh: () => Promise<string>
  revoke: () => Promise<unknown>
}

const JOURNEYS: Record<string, () => Promise<Journey>> = {
  async 'openid-client'() {
    const { id, secret } = await newClient()
    const config = new openid.Configuration(
      {
        issuer: BASE,
        authorization_endpoint: ENDPOINTS.authorize,
        token_endpoint: ENDPOINTS.token,
        revocation_endpoint: ENDPOINTS.revoke,
      },
      id,
      secret,
    )
    openid.allowInsecureRequests(config)
    let refreshToken = ''
    return {
      async connect() {
        const pkceCodeVerifier = openid.randomPKCECodeVerifier()
        const expectedState = openid.randomState()
        const url = openid.buildAuthorizationUrl(config, {
          redirect_uri: REDIRECT,
          scope: 'accounts:read',
          state: expectedState,
          code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
          code_challenge_method: 'S256',
        })
        const checks = { pkceCodeVerifier, expectedState }
        const back = await called(url.href)
        const tokens = await openid.authorizationCodeGrant(config, back, checks)
        refreshToken = tokens.refresh_token ?? ''
        return { access: tokens.access_token, refresh: refreshToken }
      },
      refresh: async () => (await openid.refreshTokenGrant(config, refreshToken)).access_token,
      revoke: () => openid.tokenRevocation(config, refreshToken),
    }
  },

  async 'simple-oauth2'() {
    const { id, secret } = await newClient()
    const client = new AuthorizationCode({
      client: { id, secret },
      auth: {
        tokenHost: SERVER,
        tokenPath: '/oauth/token',
        authorizeHost: BASE,
        authorizePath: '/oauth/authorize',
        revokePath: '/oauth/revoke',
      },
    })
    let token: Awaited<ReturnType<typeof client.getToken>>
    return {
      async connect() {
        const url = client.authorizeURL({
          redirect_uri: REDIRECT,
          scope: 'accounts:read',
          state: 'a state',
        })
        const back = await called(url)
        expect(back.searchParams.get('state')).toBe('a state')
        const code = back.searchParams.get('code') ?? ''
        token = await client.getToken({ code, redirect_uri: REDIRECT })
        return { access: token.token.access_token, refresh: token.token.refresh_token }
      },
      refresh: async () => (await token.refresh()).token.access_token,
      revoke: () => token.revokeAll(),
    }
  },

  async 'passport-oauth2'() {
    const platform = await newClient()
    const { id, secret } = platform
    const tokens = { access: '', refresh: '' }
    const strategy = new passport.Strategy(
      {
        authorizationURL: ENDPOINTS.authorize,
        tokenURL: ENDPOINTS.token,
        clientID: id,
        clientSecret: secret,
        callbackURL: REDIRECT,
        scope: ['accounts:read'],
        state: true,
        pkce: true,
        skipUserProfile: true,
      },
      (access, refresh, _profile, done) => {
        Object.assign(tokens, { access, refresh })
        done(null, {})
      },
    )
    // What passport does for each request.
    const authenticate = (request: PassportRequest) =>
      new Promise<string>((resolve, reject) => {
        const acting = Object.assign(Object.create(strategy) as typeof strategy, {
          success: () => resolve('success'),
          redirect: resolve,
          fail: (reason: unknown) => reject(new Error(JSON.stringify(reason))),
          error: reject,
        })
        acting.authenticate(request)
      })
    return {
      async connect() {
        const session = {}
        const back = await called(await authenticate({ query: {}, session }))
        const query = Object.fromEntries(back.searchParams)
        expect(await authenticate({ query, session })).toBe('success')
        return tokens
      },
      refresh: () =>
        new Promise((resolve, reject) => {
          const grant = { grant_type: 'refresh_token' }
          strategy._oauth2.getOAuthAccessToken(tokens.refresh, grant, (error, access) =>
            error ? reject(error) : resolve(access),
          )
        }),
      revoke: () => platform.revoke({ token: tokens.refresh }),
    }
  },

  async 'client-oauth2'() {
    const platform = await newClient()
    const { id, secret } = platform
    const client = new ClientOAuth2({
      clientId: id,
      clientSecret: secret,
      accessTokenUri: ENDPOINTS.token,
      authorizationUri: ENDPOINTS.authorize,
      redirectUri: REDIRECT,
      scopes: ['accounts:read'],
    })
    let token: ClientOAuth2.Token
    return {
      async connect() {
        const back = await called(client.code.getUri({ state: 's' }))
        token = await client.code.getToken(back.href, { state: 's' })
        return { access: token.accessToken, refresh: token.refreshToken }
      },
      refresh: async () => (await token.refresh()).accessToken,
      revoke: () => platform.revoke({ token: token.refreshToken }),
    }
  },

  async '@badgateway/oauth2-client'() {
    const { id, secret } = await newClient()
    const client = new OAuth2Client({
      server: SERVER,
      clientId: id,
      clientSecret: secret,
      authorizationEndpoint: ENDPOINTS.authorize,
      tokenEndpoint: '/oauth/token',
      revocationEndpoint: '/oauth/revoke',
    })
    const codeVerifier = 'v'.repeat(64)
    let token: Awaited<ReturnType<typeof client.refreshToken>>
    return {
      async connect() {
        const request = { redirectUri: REDIRECT, state: 's', codeVerifier }
        const narrowed = { ...request, scope: ['accounts:read'] }
        const back = await called(await client.authorizationCode.getAuthorizeUri(narrowed))
        token = await client.authorizationCode.getTokenFromCodeRedirect(back.href, request)
        return { access: token.accessToken, refresh: token.refreshToken ?? '' }
      },
      refresh: async () => (await client.refreshToken(token)).accessToken,
      revoke: () => client.revoke(token, 'refresh_token'),
    }
  },
}

describe.each(Object.entries(JOURNEYS))('%s', (_name, begin) => {
  it('exchanges a code, refreshes and revokes', async () => {
    const journey = await begin()
    const { access, refresh } = await journey.connect()
    expect([access, refresh]).toEqual([
      expect.stringMatching(/^at_/),
      expect.stringMatching(/^rt_/),
    ])
    const tokens = [access, await journey.refresh(), await journey.refresh()]
    expect(new Set(tokens).size).toBe(3)
    const open = () => Promise.all(tokens.map((access_token) => opens(app, { access_token })))
    expect(await open()).toEqual([true, true, true])
    await journey.revoke()
    expect(await open()).toEqual([false, false, false])
    await expect(journey.refresh()).rejects.toThrow()
  })
})
