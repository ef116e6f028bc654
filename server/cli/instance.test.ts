import { describe, expect, it } from 'vitest'
import { newPlatform, newTokens, newUser, withToken } from '../../test/oauth.ts'
import { basic, startTestApp } from '../../test/app.ts'
import { expectRefused, runCommand, runProgram } from '../../test/run-command.ts'

const app = await startTestApp()
const { databaseUrl } = app.checkstand.deps.config
const run = (...args: string[]) => runCommand(databaseUrl, ['instance', ...args])
const elsewhere = (...args: string[]) => runProgram(databaseUrl, ['instance', ...args])
const PASSWORD = 'correct horse battery'
const merchant = ['--merchant', 'Ada & Sons']
const { merchant: shop, email } = await newUser(app, { merchant: 'Ada & Sons', key: 'shop' })

describe('instance', () => {
  it('disable and enable shut it and open it while the server runs', async () => {
    const platform = await newPlatform(app)
    const token = withToken(app, (await newTokens(app, email, platform)).access_token)
    const works = async () => [
      (await shop.api('/accounts')).status,
      (await token('/accounts')).status,
      (await app.merchant.api('/accounts')).status,
    ]
    expect(await works()).toEqual([200, 200, 200])
    expect((await elsewhere('disable', ...merchant, '--key', 'shop')).stdout).toBe(
      'disabled: shop\n',
    )
    expect(await works()).toEqual([401, 401, 200])
    const { instances } = (await run('list', '--json')).json
    expect(instances).toHaveLength(2)
    expect(instances.find(({ key }: { key: string }) => key === 'shop')).toEqual({
      merchant: 'Ada & Sons',
      key: 'shop',
      name: 'Corner Shop',
      mode: 'TEST',
      created: expect.stringMatching(/Z$/),
      disabled: expect.stringMatching(/Z$/),
    })
    const again = await run('disable', ...merchant, '--key', 'shop')
    expect([again.code, again.err]).toEqual([1, 'The instance is disabled already\n'])
    expect((await elsewhere('enable', ...merchant, '--key', 'shop')).stdout).toBe('enabled: shop\n')
    expect(await works()).toEqual([200, 401, 200])
  })

  it('is not created with settings or credentials that an update would reject', async () => {
    const command = ['instance', 'create', '--merchant', 'New', '--key', 'new', '--name', 'New']
    const create = (args: readonly string[], input?: string) =>
      runCommand(databaseUrl, [...command, ...args], {}, input)
    const piped = '--password-stdin'
    for (const [args, words, input] of [
      [['--currency', 'XXQ'], '--currency is not an ISO 4217 currency', ''],
      [['--currency', ''], '--currency must be', ''],
      [['--email', 'nobody', piped], 'The email must be an email', PASSWORD],
      [['--email', 'x@y.z', piped], 'must have at least 12 characters', 'short\n'],
      [['--email', 'x@y.z', piped], 'The password is too easy to guess', 'password1234'],
      [['--email', email, piped], `User ${email} exists already`, PASSWORD],
    ] as const) {
      const ran = await create(args, input)
      expect([args, ran.code, ran.err]).toEqual([args, 1, expect.stringContaining(words)])
    }
    expect((await run('list', '--json')).json.instances).toHaveLength(2)
    const created = await create(['--currency', 'SEK', '--email', 'x@y.z', piped], PASSWORD)
    expect([created.code, created.stdout]).toEqual([
      0,
      expect.stringContaining('secret_key: sk_test_new_'),
    ])
    expect(created.stdout).not.toContain('password')
  })

  it('is made with a new user whose password is shown once when none is given', async () => {
    const flags = ['--merchant', 'Shown', '--key', 'shown', '--name', 'Shown']
    const { json } = await run('create', ...flags, '--email', 'shown@shop.example', '--json')
    const headers = { authorization: basic(`shown@shop.example:${json.password}`) }
    const response = await app.call('/c/api/instances/shown/accounts', { headers })
    expect(response.status).toBe(200)
  })

  it('warns about TRUST_PROXY when a live instance is created or enabled without it', async () => {
    const flags = ['--merchant', 'Live', '--key', 'live']
    const create = ['instance', 'create', ...flags, '--name', 'Live', '--live', '--json']
    const created = await runCommand(databaseUrl, create)
    expect([created.code, created.json.mode]).toEqual([0, 'LIVE'])
    expect(created.err).toContain('TRUST_PROXY must be set for a live instance')
    await run('disable', ...flags)
    expect((await run('enable', ...flags)).err).toContain('TRUST_PROXY must be set')
    await run('disable', ...flags)
    const enabled = await runCommand(databaseUrl, ['instance', 'enable', ...flags], {
      TRUST_PROXY: '1',
    })
    expect([enabled.code, enabled.err]).toEqual([0, ''])
  })

  it('disable requires merchant and key, and create requires a name', async () => {
    await expectRefused(run, [
      [['disable'], 2, '--merchant is required'],
      [['disable', ...merchant], 2, '--key is required'],
      [['disable', ...merchant, '--key', 'nothing'], 1, 'has no instance'],
      [['enable', ...merchant, '--key', 'shop'], 1, 'enabled already'],
      [['create', ...merchant, '--key', 'b'], 2, '--name is required'],
      [
        ['create', ...merchant, '--key', 'b', '--name', 'B', '--password-stdin'],
        2,
        'needs --email',
      ],
      [
        ['create', ...merchant, '--key', 'b', '--name', 'B', '--currency', 'EURO'],
        1,
        '--currency must',
      ],
      [['remove'], 2, 'checkstand instance'],
    ])
    expect((await shop.api('/accounts')).status).toBe(200)
  })
})
