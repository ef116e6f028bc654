import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { listen } from '../../../test/listen.ts'
import { approve, formCall, newUser, opens, signedInBrowser } from '../../../test/oauth.ts'
import { runCommandLine } from '../src/cli/run.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 30_000 })

const app = await startTestApp()
const { email, merchant } = await newUser(app)
const exchanged: string[] = []
const server = createAdaptorServer({
  fetch: async (request, env) => {
    if (request.url.endsWith('/oauth/token')) exchanged.push(await request.clone().text())
    return app.checkstand.fetch(request, env)
  },
}) as Server
const url = `http://127.0.0.1:${await listen(server)}`

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checkstand-sign-in-'))
  vi.stubEnv('XDG_CONFIG_HOME', folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Stored {
  grant: { token: string; refreshToken: string; expires: string }
}
const file = () => join(folder, 'checkstand/config.json')
const readStored = async (): Promise<Stored> =>
  JSON.parse(await readFile(file(), 'utf8')).profiles.default
const expire = async () => {
  const profile = await readStored()
  profile.grant.expires = new Date().toISOString()
  await writeFile(file(), JSON.stringify({ profiles: { default: profile } }))
}

type Visit = (address: URL) => Promise<void>

/** Runs a command; `visit` is what a person does at the address that it shows. */
async function run(args: readonly string[], visit?: Visit) {
  let [out, err] = ['', '']
  let visited: Promise<void> | undefined
  const code = await runCommandLine(args, {
    signal: new AbortController().signal,
    write: (text) => (out += text),
    warn: (text) => (err += text),
    browse: (address) => {
      visited = visit?.(new URL(address))
    },
  })
  await visited
  return { code, out, err }
}

/** Sends the browser back to the command line, as the server's redirect does. */
const goBack = async (address: URL, answer: URLSearchParams) =>
  fetch(`${address.searchParams.get('redirect_uri')}?${answer.toString()}`)

const pathOf = ({ pathname, search }: URL) => pathname + search
const approved: Visit = async (address) => {
  const answer = await approve(app, email, pathOf(address))
  const forged = new URLSearchParams({ code: 'ac_forged', state: 'other' })
  expect((await goBack(address, forged)).status).toBe(404)
  expect(await (await goBack(address, answer)).text()).toContain('Signed in')
}
const login = () => run(['login', url], approved)

describe('login', () => {
  it('signs in with the browser, and ignores an answer with another state', async () => {
    const { code, out, err } = await login()
    expect([code, out]).toEqual([0, `Signed in to ${merchant.instance.name} (test)\n`])
    expect(err).toContain('/oauth/authorize?')
    const { json } = await run(['whoami', '--json']).then(({ out: text }) => ({
      json: JSON.parse(text),
    }))
    expect(json).toMatchObject({ type: 'OAUTH' })
    expect((await run(['links', 'create', '--amount', '3.00'])).code).toBe(0)
  })

  it('exchanges an old token once, however many commands begin at the same time', async () => {
    await login()
    await expire()
    exchanged.length = 0
    const before = await readStored()
    const codes = await Promise.all([1, 2, 3].map(() => run(['links', 'list'])))
    expect(codes.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(exchanged).toHaveLength(1)
    expect((await readStored()).grant.refreshToken).not.toBe(before.grant.refreshToken)
  })

  it('keeps to the scopes that it asked for', async () => {
    await run(['login', url, '--scope', 'payments:read'], approved)
    expect((await run(['payments', 'list'])).code).toBe(0)
    const { code, err } = await run(['links', 'create', '--amount', '3.00'])
    expect([code, err]).toEqual([1, expect.stringContaining('payment_links:write')])
  })

  it('ends at the server with logout', async () => {
    await login()
    const { grant } = await readStored()
    expect(await opens(app, { access_token: grant.token })).toBe(true)
    expect((await run(['logout'])).code).toBe(0)
    expect(await opens(app, { access_token: grant.token })).toBe(false)
    expect((await run(['links', 'list'])).err).toContain('Sign in first')
  })

  it('says so when the sign-in was ended elsewhere', async () => {
    await login()
    await expire()
    await app.checkstand.deps.db
      .updateTable('oauth_grants')
      .set({ revoked: '2026-01-01' })
      .execute()
    const { code, err } = await run(['links', 'list'])
    expect([code, err]).toEqual([2, `The sign-in has ended: checkstand-client login ${url}\n`])
  })

  it('says so when the user refuses', async () => {
    const { code, err } = await run(['login', url], async (address) => {
      await goBack(address, await approve(app, email, pathOf(address), { decision: 'deny' }))
    })
    expect([code, err]).toEqual([1, expect.stringContaining('the user did not approve')])
  })
})

describe('the client of the command line', () => {
  const asked = (change: Record<string, string>) => {
    const parameters = {
      response_type: 'code',
      client_id: 'oc_cli',
      redirect_uri: 'http://127.0.0.1:4400/callback',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      ...change,
    }
    return `/oauth/authorize?${new URLSearchParams(parameters).toString()}`
  }

  it.each([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'error=invalid_request'],
    ['with the plain method', { code_challenge_method: 'plain' }, 'error=invalid_request'],
    ['for processors', { scope: 'processors:write' }, 'error=invalid_scope'],
  ])('gets no code %s', async (_case, change, error) => {
    const browser = await signedInBrowser(app, email)
    const { status, headers } = await browser.get(asked(change))
    expect([status, headers.get('location')]).toEqual([303, expect.stringContaining(error)])
  })

  it.each([
    'http://127.0.0.1:4399/callback',
    'http://localhost:4400/callback',
    'https://a.example/',
  ])('is never answered at %s', async (redirect_uri) => {
    const browser = await signedInBrowser(app, email)
    expect((await browser.get(asked({ redirect_uri }))).status).toBe(400)
  })

  it('gets no token by itself', async () => {
    const fields = { client_id: 'oc_cli', grant_type: 'client_credentials' }
    const { status, json } = await app.call('/oauth/token', formCall(fields))
    expect([status, json.error]).toEqual([400, 'unsupported_grant_type'])
  })
})
