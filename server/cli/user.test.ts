import { describe, expect, it, vi } from 'vitest'
import { hashSecret } from '../auth/secrets.ts'
import { insertSecretKey } from '../instances/store.ts'
import { newPlatform, newTokens, newUser, withToken } from '../oauth/test-oauth.ts'
import { basic, startTestApp } from '../testing/app.ts'
import { runCommand } from '../testing/command.ts'

/** `checkstand user …` and `checkstand key …`, beside a running server. */

// A command is a process of its own, and takes about a second.
vi.setConfig({ testTimeout: 60_000 })

const app = await startTestApp()
const { databaseUrl } = app.checkstand.deps.config
const user = (...args: string[]) => runCommand(databaseUrl, ['user', ...args])
const key = (...args: string[]) => runCommand(databaseUrl, ['key', ...args])
const email = 'ada@shop.example'

const signsIn = async (password: string) => {
  const headers = { authorization: basic(`${email}:${password}`) }
  return (await app.call('/c/api/instances/default/accounts', { headers })).status === 200
}

describe('user', () => {
  it('create makes one whose password is shown once, and password replaces it at once', async () => {
    const made = await user('create', '--email', email, '--json')
    expect(made.json).toEqual({ email, password: expect.stringMatching(/^[\w-]{24}$/) })
    expect(await signsIn(made.json.password)).toBe(true)
    const chosen = await user('password', email, '--password', 'correct horse')
    expect(chosen.out).toBe(`email: ${email}\ngrants_revoked: 0\n`)
    expect(await signsIn(made.json.password)).toBe(false)
    expect(await signsIn('correct horse')).toBe(true)
  })

  it('list shows who there is, without what they sign in with', async () => {
    const { out, json } = await user('list', '--json')
    expect(json.users).toEqual([
      {
        email,
        merchant: expect.stringMatching(/^Merchant /),
        created: expect.stringMatching(/Z$/),
        disabled: null,
      },
    ])
    expect(out).not.toContain('argon2')
  })

  it('disable shuts them out at once, remembered password or not', async () => {
    expect(await signsIn('correct horse')).toBe(true)
    expect((await user('disable', email)).out).toBe(`disabled: ${email}\ngrants_revoked: 0\n`)
    expect(await signsIn('correct horse')).toBe(false)
  })

  it('refuses what cannot be, and says why', async () => {
    for (const [args, code, words] of [
      [['create'], 2, '--email is required'],
      [['create', '--email', email], 1, 'already is a user'],
      [['create', '--email', 'b@shop.example', '--password', 'short'], 1, 'at least 8'],
      [['password', 'nobody@shop.example'], 1, 'no user'],
      [['disable'], 2, 'checkstand user'],
    ] as const) {
      const ran = await user(...args)
      expect([args, ran.code, ran.err.includes(words)]).toEqual([args, code, true])
    }
  })
})

describe('key', () => {
  const opens = async (secret: string) => {
    const headers = { authorization: basic(`${secret}:`) }
    return (await app.call('/c/api/instances/default/accounts', { headers })).status === 200
  }

  it('rotates: a second key works beside the first, which is revoked when nobody needs it', async () => {
    const first = app.merchant.secretKey
    expect(await opens(first)).toBe(true)
    const second = (await key('create', '--json')).json.secret_key
    expect([await opens(first), await opens(second)]).toEqual([true, true])
    const listed = async (secret: string) => {
      const { keys } = (await key('list', '--json')).json
      expect(keys).toHaveLength(2)
      return keys.find(({ last4 }: { last4: string }) => last4 === secret.slice(-4))
    }
    expect(await listed(second)).toEqual({
      prefix: second.slice(0, 'sk_test_default_'.length + 8),
      last4: second.slice(-4),
      created: expect.stringMatching(/Z$/),
      last_used: '2030-05-01T12:00:00.000Z',
      revoked: null,
    })
    const { prefix } = await listed(first)
    expect((await key('revoke', prefix)).out).toBe('revoked: 1\n')
    expect([await opens(first), await opens(second)]).toEqual([false, true])
    expect((await listed(first)).revoked).toMatch(/Z$/)
    expect((await listed(second)).revoked).toBeNull()
  })

  it('revokes one key at a time: a prefix that several have is refused', async () => {
    const shop = await app.newMerchant({ merchant: 'Alike', key: 'shop' })
    const presets = ['sk_test_alike_one', 'sk_test_alike_two']
    for (const secret of presets) {
      await insertSecretKey(app.checkstand.deps.db, {
        hash: hashSecret(secret),
        instance_id: shop.instance.id,
        secret,
        created: '2030-05-01T12:00:00.000Z',
      })
    }
    const revoke = (wanted: string) =>
      key('revoke', wanted, '--merchant', 'Alike', '--instance', 'shop')
    const open = async () => {
      const { json } = await key('list', '--merchant', 'Alike', '--instance', 'shop', '--json')
      return json.keys.filter(({ revoked }: { revoked: string | null }) => revoked === null).length
    }
    const refused = await revoke('sk_')
    expect([refused.code, refused.err]).toEqual([1, '2 keys begin like that; give the whole key\n'])
    expect(await open()).toBe(3)
    expect((await revoke('sk_test_alike_one')).out).toBe('revoked: 1\n')
    expect((await revoke('sk_')).out).toBe('revoked: 1\n')
    expect(await open()).toBe(1)
  })

  it('lists and revokes keys of the instance that is meant, and of no other', async () => {
    // The first instance is the oldest, and this clock stands still.
    app.pass(1)
    const other = await app.newMerchant({ merchant: 'Other', key: 'shop' })
    const named = ['--merchant', 'Other', '--instance', 'shop', '--json']
    const { keys } = (await key('list', ...named)).json
    expect(keys.map(({ last4 }: { last4: string }) => last4)).toEqual([other.secretKey.slice(-4)])
    const wrong = await key('revoke', other.secretKey)
    expect([wrong.code, wrong.err]).toEqual([1, 'No key of this instance begins like that\n'])
    expect((await other.api('/accounts')).status).toBe(200)
    expect((await key('revoke', other.secretKey, ...named)).json).toEqual({ revoked: 1 })
    expect((await other.api('/accounts')).status).toBe(401)
  })
})

it('user password ends what platforms may do for them, or keeps it, and says how many', async () => {
  const other = await newUser(app)
  const platform = await newPlatform(app)
  const tokens = await newTokens(app, other.email, platform)
  const opens = async () => (await withToken(app, tokens.access_token)('/accounts')).status === 200
  const kept = await user('password', other.email, '--keep-grants', '--json')
  expect([kept.json.grants_revoked, await opens()]).toEqual([0, true])
  const ended = await user('password', other.email, '--json')
  expect([ended.json.grants_revoked, await opens()]).toEqual([1, false])
})
