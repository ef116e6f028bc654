import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { warmUp } from '../../test/stripe-fake/connect.ts'
import { stripeEnvironment } from '../../test/stripe-fake/environment.ts'
import { startStripeFake } from '../../test/stripe-fake/start.ts'
import { STRIPE_NOTICE_TYPES } from '../processors/stripe/notice-types.ts'

const fake = await startStripeFake()
await warmUp(fake)
const app = await startTestApp(stripeEnvironment(fake))
const { deps } = app.checkstand
const { processors } = deps

afterAll(async () => {
  await fake.close()
  expect(fake.problems).toEqual([])
})
beforeEach(() => fake.clearFaults())

const KEYS = {
  name: 'stripe',
  secret_key: fake.secretKey,
  publishable_key: fake.publishableKey,
}
const create = (merchant: Merchant, more: object = {}, headers: Record<string, string> = {}) =>
  merchant.api('/processors', { body: { processor: { ...KEYS, ...more } }, headers })
const change = (
  merchant: Merchant,
  id: string,
  processor: object,
  headers: Record<string, string> = {},
) => merchant.api(`/processors/${id}`, { method: 'PUT', body: { processor }, headers })
const post = (merchant: Merchant, path: string, body: object = {}) =>
  merchant.api(`/processors/${path}`, { body })
const stored = (merchant: Merchant) =>
  deps.db
    .selectFrom('processor_connections')
    .selectAll()
    .where('instance_id', '=', merchant.instance.id)
    .execute()
const eventTypes = async (merchant: Merchant) => {
  const { events } = (await merchant.api('/events?order=created')).json
  return (events as { type: string }[]).map(({ type }) => type)
}

async function connected(more: object = {}) {
  const merchant = await app.newMerchant()
  const { status, json, text } = await create(merchant, more)
  expect(status, text).toBe(200)
  return { merchant, processor: json.processor, id: json.processor.id as string }
}

describe('connecting Stripe', () => {
  it('returns the record, without secrets', async () => {
    const { merchant, processor, id } = await connected()
    expect(processor).toEqual({
      id: expect.stringMatching(/^pr_[0-9]+_[0-9a-z]{16}$/),
      name: 'stripe',
      mode: 'TEST',
      status: 'ACTIVE',
      publishable_key: fake.publishableKey,
      key_hint: 'sk_…0000',
      account: 'acct_1Fake',
      webhook: {
        url: `http://shop.test/processors/stripe/webhooks/${id}`,
        status: 'AUTOMATIC',
        events: [...STRIPE_NOTICE_TYPES],
        last_heard: null,
      },
      methods: ['CARD'],
      settings: {
        methods: ['CARD'],
        currencies: null,
        saved_csc: 'ASK',
        request_three_d_secure: 'automatic',
        refund_late: true,
      },
      created_session: expect.stringMatching(/^ses_/),
      updated_session: processor.created_session,
      created: new Date(app.now()).toISOString(),
      updated: new Date(app.now()).toISOString(),
      v: 1,
    })
    expect((await merchant.api(`/processors/${id}`)).json).toEqual({ processor })
    expect((await merchant.api('/processors')).json.processors).toEqual([processor])
    expect(await eventTypes(merchant)).toEqual(['processor.created'])
  })

  it('makes an endpoint at Stripe for this connection, with its events', async () => {
    const { id, processor } = await connected()
    const made = [...fake.account.endpoints.values()].filter(
      ({ metadata }) => metadata['checkstand'] === id,
    )
    expect(made).toEqual([
      expect.objectContaining({
        url: processor.webhook.url,
        enabled_events: [...STRIPE_NOTICE_TYPES],
      }),
    ])
  })

  it('takes the secret of an endpoint that the merchant made, and makes none', async () => {
    const before = fake.account.endpoints.size
    const { processor } = await connected({ webhook_secret: 'whsec_ofTheMerchant' })
    expect(processor.webhook.status).toBe('MANUAL')
    expect(fake.account.endpoints.size).toBe(before)
  })

  it('says what to enter by hand where the endpoint cannot be made', async () => {
    fake.fault('POST /v1/webhook_endpoints', 'LOST_BEFORE', 3)
    const { merchant, processor, id } = await connected()
    expect(processor.webhook).toMatchObject({
      status: 'MISSING',
      url: expect.stringContaining(id),
      events: [...STRIPE_NOTICE_TYPES],
    })
    fake.clearFaults()
    const { json } = await post(merchant, `${id}/check`)
    expect([json.processor.webhook.status, json.processor.v]).toEqual(['AUTOMATIC', 2])
  })

  it('stores nothing when Stripe refuses the key', async () => {
    const merchant = await app.newMerchant()
    const { status, json } = await create(merchant, { secret_key: 'sk_test_51Unknown0Key' })
    expect([status, json.error]).toEqual([
      400,
      {
        type: 'INVALID_REQUEST',
        message: 'processor.secret_key is not accepted by Stripe',
      },
    ])
    expect(await stored(merchant)).toEqual([])
  })

  it('stores nothing when Stripe does not answer', async () => {
    const merchant = await app.newMerchant()
    fake.fault('GET /v1/account', 'LOST_BEFORE', 3)
    const { status, json } = await create(merchant)
    expect([status, json.error.type]).toEqual([502, 'PROCESSOR_UNREACHABLE'])
    expect(json.error.message).toContain('nothing was stored')
    expect(await stored(merchant)).toEqual([])
  })

  it.each([
    [{ secret_key: undefined }, 'processor.secret_key is required'],
    [{ publishable_key: null }, 'processor.publishable_key must not be null'],
    [{ name: 'paypal' }, 'processor.name must be stripe'],
    [{ extra: 1 }, 'Unknown field processor.extra'],
    [
      { secret_key: fake.publishableKey },
      'processor.secret_key must be a secret or restricted key of Stripe: sk_… or rk_…',
    ],
    [
      { secret_key: 'sk_live_51Real0Key' },
      'processor.secret_key is a live key, and this instance is in TEST mode',
    ],
    [
      { publishable_key: 'pk_live_51Real0Key' },
      'processor.publishable_key is a live key, and this instance is in TEST mode',
    ],
    [
      { publishable_key: fake.secretKey },
      'processor.publishable_key must be a publishable key of Stripe: pk_…',
    ],
    [{ webhook_secret: 'secret' }, 'processor.webhook_secret must be a key of the processor'],
    [
      { webhook_secret: fake.secretKey },
      'processor.webhook_secret must be the signing secret of a webhook endpoint of Stripe: whsec_…',
    ],
    [{ settings: { methods: [] } }, 'processor.settings.methods must have at least 1 member'],
    [
      { settings: { methods: ['CASH'] } },
      'processor.settings.methods.0 must be CARD or DIRECT_DEBIT or IDEAL or BANCONTACT or EPS or PRZELEWY',
    ],
    [{ settings: { colour: 'red' } }, 'Unknown field processor.settings.colour'],
    [
      { settings: { statement_suffix: 'A 4242 4242 4242 4242' } },
      'processor.settings.statement_suffix must not contain a card number (prefix other numbers with a letter)',
    ],
  ])('with %j is refused, and Stripe is not asked', async (more, message) => {
    const merchant = await app.newMerchant()
    const asked = fake.requests.length
    const { status, json } = await create(merchant, more)
    expect([status, json.error]).toEqual([400, { type: 'INVALID_REQUEST', message }])
    expect(fake.requests.length).toBe(asked)
    expect(await stored(merchant)).toEqual([])
  })

  it('names a currency that Stripe does not charge', async () => {
    const { status, json } = await create(await app.newMerchant(), {
      settings: { currencies: ['EUR', 'XXX'] },
    })
    expect([status, json.error.message]).toEqual([
      400,
      expect.stringMatching(/^processor\.settings\.currencies\.1 must be /),
    ])
  })

  it('happens once for an account', async () => {
    const { merchant, id } = await connected()
    const endpoints = fake.account.endpoints.size
    const { status, json } = await create(merchant)
    expect([status, json.error.type]).toEqual([400, 'DUPLICATE'])
    expect(json.error.message).toContain(id)
    expect(fake.account.endpoints.size).toBe(endpoints)
  })

  it('happens once under an Idempotency-Key, with one endpoint', async () => {
    const merchant = await app.newMerchant()
    const before = fake.account.endpoints.size
    const send = () => create(merchant, {}, { 'idempotency-key': 'connect' })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.text]).toEqual([200, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect([(await stored(merchant)).length, fake.account.endpoints.size - before]).toEqual([1, 1])
  })

  it('at the same time leaves one connection and one endpoint', async () => {
    const merchant = await app.newMerchant()
    const before = fake.account.endpoints.size
    const statuses = (await Promise.all([create(merchant), create(merchant)])).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400])
    expect([(await stored(merchant)).length, fake.account.endpoints.size - before]).toEqual([1, 1])
  })
})

describe('changing a processor', () => {
  it('keeps what is not named', async () => {
    const { merchant, id, processor } = await connected({ settings: { saved_csc: 'NONE' } })
    const { json } = await change(merchant, id, { settings: { methods: ['CARD', 'IDEAL'] } })
    expect(json.processor).toEqual({
      ...processor,
      methods: ['CARD', 'IDEAL'],
      settings: { ...processor.settings, methods: ['CARD', 'IDEAL'] },
      v: 2,
    })
    const { json: reset } = await change(merchant, id, { settings: { saved_csc: null } })
    expect(reset.processor.settings).toMatchObject({ saved_csc: 'ASK', methods: ['CARD', 'IDEAL'] })
    expect((await eventTypes(merchant)).toSorted()).toEqual([
      'processor.created',
      'processor.updated',
      'processor.updated',
    ])
  })

  it('shows in what payers are offered at once', async () => {
    const { merchant, id } = await connected()
    const types = async () =>
      (await processors.ofInstance(merchant.instance)).flatMap(({ capabilities }) =>
        capabilities.methods.map(({ type }) => type),
      )
    expect(await types()).toEqual(['CARD'])
    await change(merchant, id, { settings: { methods: ['EPS'] } })
    expect(await types()).toEqual(['EPS'])
  })

  it('that changes nothing makes no version and no event', async () => {
    const { merchant, id, processor } = await connected()
    const { publishable_key, settings } = processor
    const { json } = await change(merchant, id, { publishable_key, settings })
    expect(json.processor).toEqual(processor)
    expect(await eventTypes(merchant)).toEqual(['processor.created'])
  })

  it('accepts another key of the same account only', async () => {
    const { merchant, id } = await connected()
    expect((await change(merchant, id, { secret_key: fake.secretKey })).json.processor.v).toBe(2)
    await deps.db
      .updateTable('processor_connections')
      .set({ account: 'acct_1Other' })
      .where('id', '=', id)
      .execute()
    const { status, json } = await change(merchant, id, { secret_key: fake.secretKey })
    expect([status, json.error.message]).toEqual([
      400,
      'processor.secret_key is of another account at Stripe than acct_1Other; connect that one as another processor',
    ])
  })

  it('with a key that Stripe refuses changes nothing', async () => {
    const { merchant, id, processor } = await connected()
    const { status } = await change(merchant, id, { secret_key: 'sk_test_51Unknown0Key' })
    expect(status).toBe(400)
    expect((await merchant.api(`/processors/${id}`)).json.processor).toEqual(processor)
  })

  it('at another version than If-Match names is refused', async () => {
    const { merchant, id } = await connected()
    const settings = { saved_csc: 'NONE' }
    const refused = await change(merchant, id, { settings }, { 'if-match': '"7"' })
    expect([refused.status, refused.json.error.type]).toEqual([409, 'CONFLICT'])
    expect((await change(merchant, id, { settings }, { 'if-match': '"1"' })).status).toBe(200)
  })
})

describe('rotating the webhook secret', () => {
  it('makes another endpoint, deletes the old one, and accepts both secrets for a day', async () => {
    const { merchant, id } = await connected()
    const [before] = await stored(merchant)
    const { status, json } = await post(merchant, `${id}/rotate_webhook_secret`)
    expect([status, json.processor.webhook.status]).toEqual([200, 'AUTOMATIC'])
    const [after] = await stored(merchant)
    expect(after?.webhook_endpoint).not.toBe(before?.webhook_endpoint)
    expect(fake.account.endpoints.has(before?.webhook_endpoint as string)).toBe(false)
    expect(fake.account.endpoints.has(after?.webhook_endpoint as string)).toBe(true)
    expect(after?.previous_webhook_secret).toMatch(/^v1:/)
    expect(Date.parse(after?.previous_until ?? '') - app.now()).toBe(86_400_000)
  })

  it('stores the secret of an endpoint that the merchant made', async () => {
    const { merchant, id } = await connected({ webhook_secret: 'whsec_ofTheMerchant' })
    const body = { processor: { webhook_secret: 'whsec_another0One' } }
    const { json } = await post(merchant, `${id}/rotate_webhook_secret`, body)
    expect([json.processor.webhook.status, json.processor.v]).toEqual(['MANUAL', 2])
  })

  it('says what to enter by hand where no endpoint can be made', async () => {
    const { merchant, id } = await connected()
    fake.fault('POST /v1/webhook_endpoints', 'LOST_BEFORE', 3)
    const { status, json } = await post(merchant, `${id}/rotate_webhook_secret`)
    expect([status, json.error.type]).toEqual([400, 'INVALID_STATE'])
    expect(json.error.message).toContain(`/processors/stripe/webhooks/${id}`)
    expect(json.error.message).toContain('charge.dispute.created')
  })
})
