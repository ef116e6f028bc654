import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { testFolder } from '../../test/folder.ts'
import { expectRefused, runCommand } from '../../test/run-command.ts'
import { connectStripe, warmUp } from '../../test/stripe-fake/connect.ts'
import { stripeEnvironment } from '../../test/stripe-fake/environment.ts'
import { startStripeFake } from '../../test/stripe-fake/start.ts'

const fake = await startStripeFake({ name: 'Terminal' })
await warmUp(fake)
const environment = stripeEnvironment(fake)
const app = await startTestApp(environment)
const { databaseUrl } = app.checkstand.deps.config
afterAll(() => fake.close())

const KEYS = `secret_key=${fake.secretKey}\npublishable_key = ${fake.publishableKey}\n`

const runWith = (args: string[], settings: Record<string, string> = {}, input = '') => {
  const env = { ...environment, BASE_URL: 'http://shop.test', ...settings }
  return runCommand(databaseUrl, ['processor', ...args], env, input)
}
const run = (...args: string[]) => runWith(args)

const newInstance = async () => {
  const merchant = await app.newMerchant()
  const { name } = await app.checkstand.deps.db
    .selectFrom('merchants')
    .select('name')
    .where('id', '=', merchant.instance.merchant_id)
    .executeTakeFirstOrThrow()
  return { merchant, flags: ['--merchant', name, '--instance', 'default', '--json'] }
}

describe('processor add', () => {
  it('reads the keys from standard input and prints none of them', async () => {
    const { merchant, flags } = await newInstance()
    const ran = await runWith(['add', 'stripe', ...flags], {}, KEYS)
    expect([ran.code, ran.json]).toEqual([
      0,
      {
        processor: expect.stringMatching(/^pr_/),
        status: 'ACTIVE',
        account: 'acct_1Fake',
        webhook: 'AUTOMATIC',
      },
    ])
    expect(ran.stdout + ran.err).not.toContain(fake.secretKey)
    const { processors } = (await merchant.api('/processors?expand=created_session')).json
    expect(processors).toEqual([expect.objectContaining({ id: ran.json.processor })])
    expect(processors[0].created_session.type).toBe('SYSTEM')
  })

  it('reads the keys from a file, and settings', async () => {
    const file = `${await testFolder()}/keys.txt`
    writeFileSync(file, `# of the shop\n\n${KEYS}webhook_secret=whsec_Terminal0Secret\n`)
    const { merchant, flags } = await newInstance()
    const settings = '{"methods":["CARD","EPS"]}'
    const ran = await run('add', 'stripe', ...flags, '--secrets', file, '--settings', settings)
    expect([ran.code, ran.json?.webhook]).toEqual([0, 'MANUAL'])
    const [record] = (await merchant.api('/processors')).json.processors
    expect(record.methods).toEqual(['CARD', 'EPS'])
  })

  it('says why it refuses, without the keys', async () => {
    const { flags } = await newInstance()
    const add = (input: string, ...more: string[]) =>
      runWith(['add', 'stripe', ...flags, ...more], {}, input)
    const refused = [
      [await add(KEYS.replace('Terminal', 'Unknown')), 1, 'is not accepted by Stripe'],
      [await add(KEYS.replaceAll('_test_', '_live_')), 1, 'is a live key'],
      [await add(`secret_key=${fake.secretKey}`), 2, 'processor.publishable_key is required'],
      [await add('secret_key=x'), 2, 'processor.secret_key must be a key of the processor'],
      [await add(fake.secretKey), 2, 'Line 1 of the keys must be like secret_key=…'],
      [await add(KEYS, '--settings', 'CARD'), 2, '--settings must be a JSON object'],
    ] as const
    for (const [ran, code, words] of refused) {
      expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(words)])
      expect(ran.stdout + ran.err).not.toContain(fake.secretKey.slice(-30))
    }
  })
})

describe('a connected processor', () => {
  it('is listed, checked, rotated and disabled by its id', async () => {
    const { merchant, flags } = await newInstance()
    const { id } = await connectStripe(app, merchant, fake)
    const listed = await run('list', ...flags)
    expect(listed.json.processors).toEqual([
      expect.objectContaining({ id, status: 'ACTIVE', webhook: 'MISSING', keys: 'readable' }),
    ])
    expect((await run('check', id, '--json')).json.webhook).toBe('AUTOMATIC')
    expect((await run('rotate', id, '--json')).json.webhook).toBe('AUTOMATIC')
    expect((await run('disable', id, '--json')).json.status).toBe('DISABLED')
    expect((await merchant.api(`/processors/${id}`)).json.processor.status).toBe('DISABLED')
  })

  it('whose keys cannot be decrypted is listed with the reason, until they are encrypted again', async () => {
    const { merchant, flags } = await newInstance()
    await connectStripe(app, merchant, fake)
    const other = Buffer.alloc(32, 8).toString('base64')
    const alone = { CHECKSTAND_ENCRYPTION_KEY: other }
    const both = {
      CHECKSTAND_ENCRYPTION_KEY: `${other},${environment['CHECKSTAND_ENCRYPTION_KEY']}`,
    }
    const keys = async () => (await runWith(['list', ...flags], alone)).json.processors[0].keys
    expect(await keys()).toContain('is not configured')
    const ran = await runWith(['reencrypt', '--json'], both)
    expect([ran.code, ran.json.reencrypted > 0]).toEqual([0, true])
    expect(await keys()).toBe('readable')
  })
})

it('a processor that is not there, or named wrongly, is refused', async () => {
  await expectRefused(run, [
    [['check', 'pr_1_unknown'], 1, 'pr_1_unknown not found'],
    [['add'], 2, 'npx checkstand processor add stripe'],
    [['add', 'paypal', '--secrets', '/dev/null'], 2, 'processor.name must be stripe'],
    [['list', 'all'], 2, 'Too many arguments for list'],
    [['add', 'stripe', '--secret-key', 'x'], 2, "Unknown option '--secret-key'"],
  ])
})
