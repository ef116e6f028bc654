import { existsSync, readFileSync, statSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { atEnd } from '../../test/at-end.ts'
import { connectStripe, warmUp } from '../../test/stripe-fake/connect.ts'
import { stripeEnvironment } from '../../test/stripe-fake/environment.ts'
import { startStripeFake } from '../../test/stripe-fake/start.ts'
import { isPostgres, sqlitePath } from '../db/open.ts'
import { readConfig } from '../config.ts'
import { usedKeyFile } from '../processors/encryption-keys.ts'
import { createProcessors } from '../processors/registry.ts'
import { reencryptSecrets } from './reencrypt.ts'
import { listAllConnections } from './store.ts'
import { logUnreadableSecrets, secretsProblem } from './unreadable-secrets.ts'

const fake = await startStripeFake({ livemode: true, name: 'canary' })
atEnd(() => fake.close())
await warmUp(fake)
const { CHECKSTAND_ENCRYPTION_KEY: key = '', ...environment } = stripeEnvironment(fake)
const otherKey = Buffer.alloc(32, 9).toString('base64')

const WEBHOOK_SECRET = 'whsec_canary0Signing0Secret'
const CANARIES = [fake.secretKey, WEBHOOK_SECRET, 'sk_live_51canary', 'whsec_canary']
const KEYS = { secret_key: fake.secretKey, publishable_key: fake.publishableKey }

const start = (settings: Record<string, string> = { CHECKSTAND_ENCRYPTION_KEY: key }) =>
  startTestApp({ ...environment, ...settings })

async function connectLive(app: TestApp) {
  const merchant = await app.newMerchant({ mode: 'LIVE' })
  const processor = { name: 'stripe', ...KEYS, webhook_secret: WEBHOOK_SECRET }
  const response = await merchant.api('/processors', { body: { processor } })
  return { merchant, response, id: response.json.processor?.id as string }
}

/** Every row of every table, as text. */
async function rowsOf({ checkstand: { deps } }: TestApp): Promise<string> {
  const tables = await deps.db.introspection.getTables()
  const rows = tables.map(
    async ({ name }) => (await sql`select * from ${sql.table(name)}`.execute(deps.db)).rows,
  )
  return JSON.stringify(await Promise.all(rows))
}

describe('the keys of a merchant', () => {
  it('are in no answer, event, log or row, and not in the database file', async () => {
    const app = await start()
    const { merchant, response, id } = await connectLive(app)
    expect(response.status, response.text).toBe(200)
    const put = (processor: object) =>
      merchant.api(`/processors/${id}`, { method: 'PUT', body: { processor } })
    const post = (path: string, processor: object) =>
      merchant.api(`/processors${path}`, { body: { processor } })
    const answers = [
      response,
      await merchant.api(`/processors/${id}`),
      await merchant.api('/processors?expand=created_session'),
      await put({ secret_key: fake.secretKey }),
      await put({ webhook_secret: `${WEBHOOK_SECRET}2` }),
      await put({ secret_key: `${fake.secretKey}Unknown` }),
      await put({ secret_key: fake.secretKey, settings: { methods: ['CASH'] } }),
      await put({ secret_key: fake.secretKey, publishable_key: fake.secretKey }),
      await put({ secret_key: WEBHOOK_SECRET, [fake.secretKey.slice(0, 12)]: 1 }),
      await post('', { name: 'stripe', ...KEYS }),
      await post(`/${id}/rotate_webhook_secret`, { webhook_secret: `${WEBHOOK_SECRET}3` }),
      await post(`/${id}/rotate_webhook_secret`, { webhook_secret: fake.secretKey }),
      await merchant.api(`/processors/${id}/check`, { body: {} }),
      await merchant.api('/events'),
    ]
    expect(answers.filter(({ status }) => status === 200).length).toBe(8)
    const { databaseUrl } = app.checkstand.deps.config
    const files = isPostgres(databaseUrl)
      ? []
      : ['', '-wal'].map((end) => `${sqlitePath(databaseUrl)}${end}`).filter(existsSync)
    const places = [
      ...answers.filter(({ text }) => !text.includes('Unknown field')).map(({ text }) => text),
      app.logged(),
      await rowsOf(app),
      ...files.map((file) => readFileSync(file, 'latin1')),
    ]
    for (const canary of CANARIES) {
      for (const [at, text] of places.entries()) {
        expect(text.includes(canary), `${canary} in place ${at}`).toBe(false)
      }
    }
  })

  it('reach the processor that they are for', async () => {
    const app = await start()
    await connectLive(app)
    const asked = fake.requests.filter(({ headers }) =>
      headers.authorization?.includes(fake.secretKey),
    )
    expect(asked.length).toBeGreaterThan(0)
  })
})

describe('a server without an encryption key', () => {
  it('keeps one beside a SQLite file, and with PostgreSQL says what to do', async () => {
    const app = await start({})
    const { response } = await connectLive(app)
    const { config } = app.checkstand.deps
    if (isPostgres(config.databaseUrl)) {
      expect([response.status, response.json.error.type]).toEqual([400, 'INVALID_STATE'])
      expect(response.json.error.message).toContain('CHECKSTAND_ENCRYPTION_KEY')
      expect(await listAllConnections(app.checkstand.deps.db)).toEqual([])
      return
    }
    expect(response.status).toBe(200)
    const file = usedKeyFile(config) as string
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(Buffer.from(readFileSync(file, 'utf8'), 'base64').length).toBe(32)
  })

  it.each([
    ['another one', { CHECKSTAND_ENCRYPTION_KEY: otherKey }, 'is not configured'],
    ['none', {}, 'CHECKSTAND_ENCRYPTION_KEY is not set'],
  ])('that encrypted, but %s, says so and serves the others', async (_what, settings, words) => {
    const app = await start()
    const { id, merchant } = await connectLive(app)
    const { db, log } = app.checkstand.deps
    const config = {
      ...readConfig({ ...environment, ...settings }),
      // There is no file with a key beside it.
      databaseUrl: 'file:/nowhere/at/all.db',
    }
    const [row] = await listAllConnections(db)
    expect(row && secretsProblem(config, row)).toMatch(new RegExp(`${id}.*${words}`))
    await logUnreadableSecrets({ db, config, log })
    expect(app.logged()).toContain('a processor cannot be used')
    expect(app.logged()).toContain(words)
    expect((await app.merchant.api('/payment_links', { body: { payment_link: {} } })).status).toBe(
      200,
    )
    expect((await merchant.api(`/processors/${id}`)).status).toBe(200)
  })
})

describe('reencryption', () => {
  it('leaves nothing that needs an earlier key', async () => {
    const app = await start()
    await connectLive(app)
    const { db } = app.checkstand.deps
    const configOf = (keys: string) =>
      readConfig({ ...environment, CHECKSTAND_ENCRYPTION_KEY: keys })
    const problems = async (keys: string) =>
      (await listAllConnections(db)).map((row) => secretsProblem(configOf(keys), row))
    expect(await problems(otherKey)).not.toEqual([undefined])
    const both = configOf(`${otherKey},${key}`)
    expect(await reencryptSecrets({ db, config: both })).toBe(2)
    expect(await problems(otherKey)).toEqual([undefined])
    expect(await reencryptSecrets({ db, config: both })).toBe(0)
  })
})

describe('the credentials of an instance', () => {
  it('are used for no other instance', async () => {
    const app = await start()
    const { processors, db } = app.checkstand.deps
    const { id, merchant } = await connectLive(app)
    const other = await app.newMerchant({ mode: 'LIVE' })
    const use = (instance_id: string) => processors.get({ processor: id, instance_id })
    expect((await use(merchant.instance.id))?.id).toBe(id)
    expect(await use(other.instance.id)).toBeUndefined()
    expect(await processors.ofInstance(other.instance, db)).toEqual([])
    expect((await other.api(`/processors/${id}`)).status).toBe(404)
  })

  it('are useless in a row that they were copied to', async () => {
    const app = await start()
    const { db, log, realNow } = app.checkstand.deps
    const { id } = await connectLive(app)
    const thief = await app.newMerchant()
    const { id: copy } = await connectStripe(app, thief, fake)
    const { secret_key } = await db
      .selectFrom('processor_connections')
      .select('secret_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('processor_connections')
      .set({ secret_key })
      .where('id', '=', copy)
      .execute()
    const { createConnector } = await import('../processors/connect.ts')
    const fresh = createProcessors(db, {
      builtIn: [],
      connect: createConnector({
        db,
        config: app.checkstand.deps.config,
        log,
        now: realNow,
        failpoint: () => {},
        onAuthentication: async () => {},
      }),
      now: realNow,
      log,
    })
    expect(await fresh.get({ processor: copy, instance_id: thief.instance.id })).toBeUndefined()
    expect(app.logged()).toContain('is not what was encrypted')
  })
})

describe('an instance with a processor', () => {
  it('in LIVE mode can create links, and without one cannot', async () => {
    const app = await start({
      CHECKSTAND_ENCRYPTION_KEY: key,
      BASE_URL: 'https://shop.test',
      TRUST_PROXY: 'none',
    })
    const { merchant } = await connectLive(app)
    const link = (by: typeof merchant) => by.api('/payment_links', { body: { payment_link: {} } })
    const made = await link(merchant)
    expect(made.status, made.text).toBe(200)
    expect((await link(await app.newMerchant({ mode: 'LIVE' }))).json.error.type).toBe(
      'INVALID_STATE',
    )
  })

  it('in TEST mode is not offered the sandbox', async () => {
    const app = await start()
    const merchant = await app.newMerchant()
    const offered = async () =>
      (await app.checkstand.deps.processors.ofInstance(merchant.instance)).map(({ id }) => id)
    expect(await offered()).toEqual(['sandbox'])
    const { id } = await connectStripe(app, merchant, fake)
    expect(await offered()).toEqual([id])
  })
})
