import { OAuth2Client } from '@badgateway/oauth2-client'
import ClientOAuth2 from 'client-oauth2'
import * as oauth4webapi from 'oauth4webapi'
import * as openid from 'openid-client'
import passport, { type PassportRequest } from 'passport-oauth2'
import { AuthorizationCode } from 'simple-oauth2'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { createCheckstand } from '../index.ts'
import { createInstance } from '../admin/create-instance.ts'
import { createLog } from '../observe/log.ts'
import { openTestDatabase } from '../../test/database.ts'
import { freePort } from '../../test/program.ts'
import { createClient } from './clients.ts'
import { PASSWORD, newBrowser } from '../../test/oauth.ts'

// Passwords are hashed slowly on purpose, and a busy machine is slower still.
vi.setConfig({ testTimeout: 30_000 })

/**
 * Client libraries of others, as they are published, against a listening server: what they agree
 * on is what OAuth means to platforms.
 */

const REDIRECT = 'https://platform.example/callback'
const email = 'ada@shop.example'
const database = await openTestDatabase()
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const server = await createCheckstand({
  config: readConfig({ PORT: String(port), BASE_URL: base, DATABASE_URL: database.url }),
  log: createLog('silent'),
})
await server.start()
afterAll(async () => {
  await server.close()
  await database.drop()
})
await createInstance(server.deps, {
  merchant: 'Corner Shop',
  key: 'default',
  name: 'Corner Shop',
  user: { email, password: PASSWORD },
})

const ENDPOINTS = {
  authorize: `${base}/oauth/authorize`,
  token: `${base}/oauth/token`,
  revoke: `${base}/oauth/revoke`,
}

async function newClient(): Promise<{ id: string; secret: string }> {
  const input = { name: 'Ledgerly', redirectUrls: [REDIRECT] }
  const { clientId, clientSecret } = await createClient(server.deps, input)
  return { id: clientId, secret: clientSecret ?? '' }
}

/** The merchant signs in and approves; answers the address that the platform is called at. */
async function approve(url: string): Promise<URL> {
  const browser = newBrowser({
    call: async (path, { method = 'GET', raw, headers = {} } = {}) => {
      const body = typeof raw === 'string' ? { body: raw } : {}
      const response = await fetch(base + path, { method, headers, redirect: 'manual', ...body })
      return {
        status: response.status,
        headers: response.headers,
        text: await response.text(),
        json: undefined,
      }
    },
  })
  const pathOf = (address: string | null) => (address ?? '').replace(base, '')
  const path = pathOf(url)
  const signIn = pathOf((await browser.get(path)).headers.get('location'))
  await browser.send(signIn, await browser.get(signIn), { email, password: PASSWORD })
  const response = await browser.send(path, await browser.get(path), { decision: 'approve' })
  return new URL(response.headers.get('location') ?? '')
}

const opens = async (accessToken: string) => {
  const headers = { authorization: `Bearer ${accessToken}` }
  return (await fetch(`${base}/c/api/accounts`, { headers })).status === 200
}

interface Journey {
  /** Goes from a code to tokens. */
  connect: () => Promise<{ access: string; refresh: string }>
  /** Gets one more access token. */
  refresh: () => Promise<string>
  revoke: () => Promise<void>
}

const JOURNEYS: Record<string, () => Promise<Journey>> = {
  async oauth4webapi() {
    const { id, secret } = await newClient()
    const authServer = {
      issuer: base,
      authorization_endpoint: ENDPOINTS.authorize,
      token_endpoint: ENDPOINTS.token,
      revocation_endpoint: ENDPOINTS.revoke,
    }
    const client = { client_id: id }
    const auth = oauth4webapi.ClientSecretBasic(secret)
    const plainHttp = { [oauth4webapi.allowInsecureRequests]: true }
    let refreshToken = ''
    return {
      async connect() {
        const verifier = oauth4webapi.generateRandomCodeVerifier()
        const state = oauth4webapi.generateRandomState()
        const url = new URL(ENDPOINTS.authorize)
        url.search = new URLSearchParams({
          client_id: id,
          redirect_uri: REDIRECT,
          response_type: 'code',
          scope: 'accounts:read',
          state,
          code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }).toString()
        const called = await approve(url.href)
        const parameters = oauth4webapi.validateAuthResponse(authServer, client, called, state)
        const response = await oauth4webapi.authorizationCodeGrantRequest(
          authServer,
          client,
          auth,
          parameters,
          REDIRECT,
          verifier,
          plainHttp,
        )
        const tokens = await oauth4webapi.processAuthorizationCodeResponse(
          authServer,
          client,
          response,
        )
        refreshToken = tokens.refresh_token ?? ''
        return { access: tokens.access_token, refresh: refreshToken }
      },
      async refresh() {
        const response = await oauth4webapi.refreshTokenGrantRequest(
          authServer,
          client,
          auth,
          refreshToken,
          plainHttp,
        )
        const tokens = await oauth4webapi.processRefreshTokenResponse(authServer, client, response)
        return tokens.access_token
      },
      async revoke() {
        const response = await oauth4webapi.revocationRequest(
          authServer,
          client,
          auth,
          refreshToken,
          plainHttp,
        )
        await oauth4webapi.processRevocationResponse(response)
      },
    }
  },

  async 'openid-client'() {
    const { id, secret } = await newClient()
    const config = new openid.Configuration(
      {
        issuer: base,
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
        const called = await approve(url.href)
        const tokens = await openid.authorizationCodeGrant(config, called, checks)
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
        tokenHost: base,
        tokenPath: '/oauth/token',
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
        const called = await approve(url)
        expect(called.searchParams.get('state')).toBe('a state')
        const code = called.searchParams.get('code') ?? ''
        token = await client.getToken({ code, redirect_uri: REDIRECT })
        return { access: token.token.access_token, refresh: token.token.refresh_token }
      },
      refresh: async () => (await token.refresh()).token.access_token,
      revoke: () => token.revokeAll(),
    }
  },

  async 'passport-oauth2'() {
    const { id, secret } = await newClient()
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
        const called = await approve(await authenticate({ query: {}, session }))
        const query = Object.fromEntries(called.searchParams)
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
      revoke: () => revokeByHand({ id, secret }, tokens.refresh),
    }
  },

  async 'client-oauth2'() {
    const { id, secret } = await newClient()
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
        const called = await approve(client.code.getUri({ state: 's' }))
        token = await client.code.getToken(called.href, { state: 's' })
        return { access: token.accessToken, refresh: token.refreshToken }
      },
      refresh: async () => (await token.refresh()).accessToken,
      revoke: () => revokeByHand({ id, secret }, token.refreshToken),
    }
  },

  async '@badgateway/oauth2-client'() {
    const { id, secret } = await newClient()
    const client = new OAuth2Client({
      server: base,
      clientId: id,
      clientSecret: secret,
      authorizationEndpoint: '/oauth/authorize',
      tokenEndpoint: '/oauth/token',
      revocationEndpoint: '/oauth/revoke',
    })
    const codeVerifier = 'v'.repeat(64)
    let token: Awaited<ReturnType<typeof client.refreshToken>>
    return {
      async connect() {
        const request = { redirectUri: REDIRECT, state: 's', codeVerifier }
        const narrowed = { ...request, scope: ['accounts:read'] }
        const called = await approve(await client.authorizationCode.getAuthorizeUri(narrowed))
        token = await client.authorizationCode.getTokenFromCodeRedirect(called.href, request)
        return { access: token.accessToken, refresh: token.refreshToken ?? '' }
      },
      refresh: async () => (await client.refreshToken(token)).accessToken,
      revoke: () => client.revoke(token, 'refresh_token'),
    }
  },
}

/** For the two libraries that have no word for it. */
async function revokeByHand(client: { id: string; secret: string }, token: string): Promise<void> {
  const response = await fetch(ENDPOINTS.revoke, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
    body: new URLSearchParams({ token, token_type_hint: 'refresh_token' }),
  })
  expect(response.status).toBe(200)
}

describe.each(Object.entries(JOURNEYS))('%s', (_name, begin) => {
  it('exchanges a code, refreshes and revokes', async () => {
    const journey = await begin()
    const { access, refresh } = await journey.connect()
    expect([access, refresh]).toEqual([
      expect.stringMatching(/^at_/),
      expect.stringMatching(/^rt_/),
    ])
    expect(await opens(access)).toBe(true)
    const [second, third] = [await journey.refresh(), await journey.refresh()]
    expect(new Set([access, second, third]).size).toBe(3)
    expect([await opens(second), await opens(third)]).toEqual([true, true])
    await journey.revoke()
    expect([await opens(access), await opens(second), await opens(third)]).toEqual([
      false,
      false,
      false,
    ])
    await expect(journey.refresh()).rejects.toThrow()
  })
})
