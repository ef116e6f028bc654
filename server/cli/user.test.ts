import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashSecret } from '../auth/secrets.ts'
import { basic, startTestApp } from '../../test/app.ts'
import { expectRefused, runCommand, runProgram } from '../../test/run-command.ts'
import { testFolder } from '../../test/folder.ts'
import { insertSecretKey } from '../secret-keys/store.ts'

/**
 * `checkstand user …` and `checkstand key …`, beside a running server. What takes effect on the server runs
 * in a process of its own.
 */

const app = await startTestApp()
const { databaseUrl } = app.checkstand.deps.config
const user = (...args: string[]) => runCommand(databaseUrl, ['user', ...args])
const key = (...args: string[]) => runCommand(databaseUrl, ['key', ...args])
const email = 'ada@shop.example'
const elsewhere = (...args: string[]) => runProgram(databaseUrl, args)
const CHOSEN = 'correct horse battery'
const withInput = (input: string, ...args: string[]) => runCommand(databaseUrl, args, {}, input)

/** Whether the API accepts an e-mail address with its password, or a key with none. */
const opens = async (name: string, password = '') => {
  const headers = { authorization: basic(`${name}:${password}`) }
  return (await app.call('/c/api/instances/default/accounts', { headers })).status === 200
}

describe('user', () => {
  it('create makes one whose password is shown once, and password replaces it at once', async () => {
    const created = await user('create', '--email', email, '--json')
    expect(created.json).toEqual({ email, password: expect.stringMatching(/^[\w-]{24}$/) })
    expect(await opens(email, created.json.password)).toBe(true)
    const change = ['user', 'password', email, '--password-stdin']
    const chosen = await runProgram(databaseUrl, change, {}, `${CHOSEN}\n`)
    expect(chosen.stdout).toBe(`email: ${email}\ngrants_revoked: 0\n`)
    expect(await opens(email, created.json.password)).toBe(false)
    expect(await opens(email, CHOSEN)).toBe(true)
  })

  it('list shows who there is, without what they sign in with', async () => {
    const { stdout: out, json } = await user('list', '--json')
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

  it('disable takes effect at once, even for a cached password', async () => {
    expect(await opens(email, CHOSEN)).toBe(true)
    const last = await user('disable', email)
    expect([last.code, last.err]).toEqual([1, expect.stringContaining('the last owner')])
    expect(await opens(email, CHOSEN)).toBe(true)
    await user('create', '--email', 'second-owner@shop.example')
    const disabled = await elsewhere('user', 'disable', email)
    expect(disabled.stdout).toBe(`disabled: ${email}\ngrants_revoked: 0\n`)
    expect(await opens(email, CHOSEN)).toBe(false)
  })

  it('rejects invalid arguments with an explanation', async () => {
    await expectRefused(user, [
      [['create'], 2, '--email is required'],
      [['create', '--email', email], 1, 'exists already'],
      [['password', 'nobody@shop.example'], 1, 'does not exist'],
      [['disable'], 2, 'checkstand user'],
    ])
  })
})

describe('a password', () => {
  const create = (input: string, ...more: string[]) =>
    withInput(input, 'user', 'create', '--email', 'bea@shop.example', ...more)

  it.each([
    ['short', 'The password must have at least 12 characters'],
    ['password1234', 'The password is too easy to guess'],
    ['passwordpassword', 'The password is too easy to guess'],
    ['', 'The password must have at least 12 characters'],
  ])('that is %s is rejected with the rule that it breaks', async (password, words) => {
    const ran = await create(password, '--password-stdin')
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(words)])
    const changed = await withInput(password, 'user', 'password', email, '--password-stdin')
    expect(changed.code).toBe(1)
  })

  it('is taken from a file, without the line break at its end', async () => {
    const folder = await testFolder()
    const file = join(folder, 'password')
    await writeFile(file, ' kind green teapot \n')
    expect((await create('', '--password-file', file)).code).toBe(0)
    expect(await opens('bea@shop.example', ' kind green teapot ')).toBe(true)
  })

  it.each([
    [['user', 'create', '--email', 'eve@shop.example', '--password', 'kind green teapot']],
    [['user', 'create', '--email', 'eve@shop.example', '--password=kind green teapot']],
    [['user', 'password', 'ada@shop.example', '--password', 'kind green teapot']],
    [
      'instance create --merchant M --key m --name M --email eve@shop.example --password'
        .split(' ')
        .concat('kind green teapot'),
    ],
  ])('is no argument: %j', async (args) => {
    const ran = await withInput('', ...args)
    expect([ran.code, ran.stdout]).toEqual([2, ''])
    expect(ran.err).toContain('--password-stdin or --password-file')
    expect(ran.err).not.toContain('teapot')
  })

  it('comes from one place', async () => {
    const ran = await create('x', '--password-stdin', '--password-file', 'x')
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('mutually exclusive')])
  })
})

describe('key', () => {
  it('supports rotation: a second key works beside the first until that is revoked', async () => {
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
      name: null,
      scopes: null,
      expires: null,
      created: expect.stringMatching(/Z$/),
      last_used: '2030-05-01T12:00:00.000Z',
      revoked: null,
    })
    const { prefix } = await listed(first)
    const { stdout: out } = await elsewhere('key', 'revoke', prefix)
    expect(out).toMatch(/^revoked: 1\nprefix: sk_test_[\w-]+\ninstance: default\nmerchant: .+\n$/)
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
    expect([refused.code, refused.err]).toEqual([
      1,
      '2 keys have this prefix; give the whole key\n',
    ])
    expect(await open()).toBe(3)
    const flags = ['--merchant', 'Alike', '--instance', 'shop']
    const whole = await withInput('sk_test_alike_one\n', 'key', 'revoke', '-', ...flags)
    expect(whole.stdout).toMatch(/^revoked: 1\n/)
    expect((await revoke('sk_')).stdout).toMatch(/^revoked: 1\n/)
    expect(await open()).toBe(1)
  })

  it('lists and revokes keys of the instance that is meant, and of no other', async () => {
    // The first instance is the oldest, and this clock stands still.
    app.pass(1)
    const other = await app.newMerchant({ merchant: 'Other', key: 'shop' })
    const flags = ['--merchant', 'Other', '--instance', 'shop', '--json']
    const { keys } = (await key('list', ...flags)).json
    expect(keys.map(({ last4 }: { last4: string }) => last4)).toEqual([other.secretKey.slice(-4)])
    const prefix = keys[0].prefix.slice(0, 12)
    expect((await key('revoke', prefix)).err).toMatch(
      /^The instance "[\w-]+" has no active key with this prefix/,
    )
    const first = await key('revoke', other.secretKey, '--instance', 'default')
    expect(first.err).toBe(
      'The key belongs to another instance; leave out --merchant and --instance\n',
    )
    expect((await other.api('/accounts')).status).toBe(200)
    const { json } = await key('revoke', other.secretKey, '--json')
    expect(json).toMatchObject({ revoked: 1, instance: 'shop', merchant: 'Other' })
    const again = await key('revoke', other.secretKey)
    expect([again.code, again.err]).toEqual([1, 'The key is revoked already\n'])
    expect((await other.api('/accounts')).status).toBe(401)
  })
})
