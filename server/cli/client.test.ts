import { describe, expect, it } from 'vitest'
import { approve, newPlatform, newTokens, newUser, withToken } from '../../test/oauth.ts'
import { basic, startTestApp } from '../../test/app.ts'
import { runCommand, runProgram } from '../../test/run-command.ts'
import { createClient } from '../oauth/clients.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const run = (...args: string[]) => runCommand(deps.config.databaseUrl, ['client', ...args])
const elsewhere = (...args: string[]) => runProgram(deps.config.databaseUrl, ['client', ...args])
const { email } = await newUser(app)
const redirect = 'https://platform.example/cb'

describe('client create', () => {
  it('prints an id and, once, a secret, and the client works at once', async () => {
    const created = await run('create', '--name', 'Ledgerly', '--redirect-url', redirect)
    expect(created.code).toBe(0)
    const [, id = ''] = /^client_id: (oc_\d+_[0-9a-z]{16})$/m.exec(created.stdout) ?? []
    const [, secret = ''] = /^client_secret: (cs_[\w-]{43})$/m.exec(created.stdout) ?? []
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_url: redirect,
    })
    const sent = await approve(app, email, `/oauth/authorize?${query.toString()}`)
    const response = await app.call('/oauth/token', {
      method: 'POST',
      raw: new URLSearchParams({
        grant_type: 'authorization_code',
        code: sent.get('code') ?? '',
        redirect_url: redirect,
      }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: basic(`${id}:${secret}`),
      },
    })
    expect(response.status).toBe(200)
    const listed = await run('list', '--json')
    expect(JSON.stringify(listed.json)).not.toContain(secret.slice(3))
    expect(listed.json.clients.at(-1)).toMatchObject({
      client_id: id,
      name: 'Ledgerly',
      redirect_urls: [redirect],
      scope: 'read write',
      public: false,
      require_pkce: false,
      disabled: null,
    })
  })

  it('takes several addresses, scopes, PKCE and a public program', async () => {
    const more = ['--redirect-url', redirect, '--redirect-url', 'http://localhost:3000/cb']
    const scope = ['--scope', 'payments:write payments:read', '--require-pkce', '--development']
    const strict = await run('create', '--name', 'Till', ...more, ...scope, '--json')
    expect(strict.json).toEqual({
      client_id: expect.stringMatching(/^oc_/),
      client_secret: expect.stringMatching(/^cs_/),
      scope: 'payments:read payments:write',
    })
    const open = await run('create', '--name', 'App', '--redirect-url', redirect, '--public')
    expect(open.stdout).not.toContain('client_secret')
  })

  it.each([
    [['--redirect-url', redirect], 2, '--name is required'],
    [['--name', 'X'], 2, '--redirect-url is required'],
    [['--name', 'X', '--redirect-url', 'http://localhost/cb'], 1, 'except for development'],
    [
      ['--name', 'X', '--redirect-url', redirect, '--scope', 'all'],
      1,
      '--scope must be a list of scopes',
    ],
    [['--name', 'X', '--unknown'], 2, 'unknown'],
  ])('with %j ends with code %i and says why', async (args, code, words) => {
    const ran = await run('create', ...args)
    expect(ran.code).toBe(code)
    expect(ran.err).toContain(words)
    expect(ran.stdout).toBe('')
  })

  it.each(['', '   ', 'x'.repeat(101), 'Led\u202egerly', 'a\nb', 'a\u200bb', 'tab\there'])(
    'refuses the name %j, which a merchant could not read as it is',
    async (name) => {
      await expect(createClient(deps, { name, redirectUrls: [redirect] })).rejects.toThrow('name')
    },
  )
})

describe('client revoke', () => {
  it('ends what one instance granted one client, and nothing else', async () => {
    const [mine, other] = [await newPlatform(app, { name: 'Mine' }), await newPlatform(app)]
    const shop = await newUser(app, { merchant: 'Revoking', key: 'shop' })
    const opens = async (token: string) => (await withToken(app, token)('/accounts')).status === 200
    const [ended, kept, atAnother] = [
      await newTokens(app, shop.email, mine),
      await newTokens(app, shop.email, other),
      await newTokens(app, email, mine),
    ]
    const flags = ['--merchant', 'Revoking', '--instance', 'shop', '--json']
    const grants = async () => (await run('grants', ...flags)).json.grants
    const listed = await grants()
    expect(listed).toHaveLength(2)
    expect(listed.find((grant: { client: string }) => grant.client === 'Mine')).toEqual({
      client_id: mine.id,
      client: 'Mine',
      user: shop.email,
      scope: 'read write',
      created: expect.stringMatching(/Z$/),
    })
    expect((await elsewhere('revoke', mine.id, ...flags)).json).toEqual({ revoked: 1 })
    expect(await opens(ended.access_token)).toBe(false)
    expect((await mine.refresh(ended.refresh_token)).json.error).toBe('invalid_grant')
    expect([await opens(kept.access_token), await opens(atAnother.access_token)]).toEqual([
      true,
      true,
    ])
    expect((await grants()).map((grant: { client_id: string }) => grant.client_id)).toEqual([
      other.id,
    ])
    const again = await run('revoke', mine.id, ...flags)
    expect([again.code, again.err]).toEqual([1, 'The instance has no grant to this client\n'])
    expect((await run('revoke', ...flags)).code).toBe(2)
    expect((await run('grants', '--merchant', 'Nobody')).err).toContain('Nobody has no instance')
  })
})

describe('client disable', () => {
  it('ends what merchants granted while the server runs', async () => {
    const platform = await newPlatform(app)
    const { access_token, refresh_token } = await newTokens(app, email, platform)
    const api = withToken(app, access_token)
    expect((await api('/accounts')).status).toBe(200)
    expect((await elsewhere('disable', platform.id)).stdout).toBe(`disabled: ${platform.id}\n`)
    expect((await api('/accounts')).status).toBe(401)
    expect((await platform.refresh(refresh_token)).status).toBe(401)
    const again = await run('disable', platform.id)
    expect([again.code, again.err]).toEqual([1, 'Client not found or already disabled\n'])
  })

  it('without an id, and any other word, is wrong usage', async () => {
    expect((await run('disable')).code).toBe(2)
    expect((await run('enable', 'oc_1')).code).toBe(2)
    expect((await run('--help')).stdout).toContain('checkstand client create')
  })
})
