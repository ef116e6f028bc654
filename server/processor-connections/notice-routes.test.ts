import fc from 'fast-check'
import { Hono } from 'hono'
import { Stripe } from 'stripe'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { connectStripe } from '../../test/stripe-fake/connect.ts'
import { stripeEnvironment } from '../../test/stripe-fake/environment.ts'
import {
  deliver,
  type Notice,
  noticeOf,
  sign,
  WEBHOOK_SECRET,
} from '../../test/stripe-fake/deliver.ts'
import type { Event } from '../../test/stripe-fake/objects.ts'
import { startStripeFake } from '../../test/stripe-fake/start.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { syncReversals } from '../payments/sync-reversals.ts'
import { readOrCreateEncryptionKeys } from '../processors/encryption-keys.ts'
import { secretPurpose } from '../processors/connect.ts'
import { encrypt, type EncryptionKeys } from '../encryption.ts'
import { handleErrors } from '../http/error-handler.ts'
import { queriesDuring } from '../../test/query-spy.ts'
import { noticeRoutes, type NoticeRoutesOptions } from './notice-routes.ts'
import { pruneNotices } from './record-notice.ts'

const MINUTE_MS = 60_000
let now = () => Date.now()
let hasDiskSpace = true
const fake = await startStripeFake({ now: () => now() })
const app = await startTestApp(stripeEnvironment(fake), { hasDiskSpace: () => hasDiskSpace })
const { deps } = app.checkstand
now = app.now
const { merchant } = app
const client = openPaymentsClient(app, merchant)
const { id: connection } = await connectStripe(app, merchant, fake, {}, WEBHOOK_SECRET)

const send = (notice: Notice, to = connection) => deliver(app, to, notice)
const signed = (body: string, secret?: string) => ({
  body,
  signature: sign(body, app.now(), secret),
})
const pay = (number = '4242424242424242') =>
  client.pay(undefined, { payment_method: { token: fake.card(number) } })

let events = 0
function newEvent(more: Partial<Event> = {}): Event {
  return {
    id: `evt_${(events += 1)}`,
    type: 'charge.dispute.created',
    created: Math.floor(app.now() / 1000),
    livemode: false,
    object: { object: 'dispute', id: 'du_1' },
    ...more,
  }
}

const connectionRow = () =>
  deps.db
    .selectFrom('processor_connections')
    .selectAll()
    .where('id', '=', connection)
    .executeTakeFirstOrThrow()
const noticeIds = async () =>
  (await deps.db.selectFrom('processor_notices').select('id').orderBy('id').execute()).map(
    ({ id }) => id,
  )
const nextRead = async () =>
  (
    await deps.db
      .selectFrom('reversal_reads')
      .select('next_read')
      .where('processor', '=', connection)
      .executeTakeFirstOrThrow()
  ).next_read

async function updateConnection(change: object): Promise<void> {
  await deps.db
    .updateTable('processor_connections')
    .set((eb) => ({ ...change, v: eb('v', '+', 1) }))
    .where('id', '=', connection)
    .execute()
  deps.processors.invalidate({ id: connection, instance_id: merchant.instance.id })
}

afterAll(async () => {
  await fake.close()
  expect(fake.problems).toEqual([])
})

describe('a notification', () => {
  it('is recorded once, and makes the next read due', async () => {
    await syncReversals(deps)
    app.pass(1000)
    const event = newEvent()
    expect((await send(noticeOf(event, app.now()))).status).toBe(204)
    const due = new Date(app.now()).toISOString()
    expect(await nextRead()).toBe(due)
    app.pass(1000)
    expect((await send(noticeOf(event, app.now()))).status).toBe(204)
    expect(await nextRead()).toBe(due)
    expect((await noticeIds()).filter((id) => id === event.id)).toHaveLength(1)
    await syncReversals(deps)
    expect(await nextRead()).toBe(new Date(app.now() + 60 * MINUTE_MS).toISOString())
  })

  it('that comes during a read is followed by another one', async () => {
    app.pass(60 * MINUTE_MS)
    await pay()
    fake.fault('GET /v1/events', '500_BEFORE')
    const before = fake.requests.length
    const reading = syncReversals(deps)
    await expect
      .poll(() => fake.requests.slice(before).some(({ url }) => url.startsWith('/v1/events')))
      .toBe(true)
    app.pass(1)
    await send(noticeOf(newEvent(), app.now()))
    const due = new Date(app.now()).toISOString()
    await reading
    expect(await nextRead()).toBe(due)
  })

  it('of a type that says nothing is accepted, and nothing becomes due', async () => {
    await syncReversals(deps)
    const before = await nextRead()
    app.pass(1)
    const event = newEvent({ type: 'customer.created' })
    expect((await send(noticeOf(event, app.now()))).status).toBe(204)
    expect(await nextRead()).toBe(before)
  })

  it('shows that the processor is heard, accurate to a minute', async () => {
    app.pass(MINUTE_MS)
    await send(noticeOf(newEvent(), app.now()))
    const first = (await connectionRow()).last_heard
    expect(first).toBe(new Date(app.now()).toISOString())
    app.pass(MINUTE_MS - 1)
    await send(noticeOf(newEvent(), app.now()))
    expect((await connectionRow()).last_heard).toBe(first)
  })

  it('is forgotten after thirty days', async () => {
    const old = newEvent()
    await send(noticeOf(old, app.now()))
    app.pass(30 * 24 * 60 * MINUTE_MS)
    const kept = newEvent()
    await send(noticeOf(kept, app.now()))
    app.pass(1)
    await pruneNotices(deps)
    expect(await noticeIds()).toEqual([kept.id])
  })
})

describe('a notification about a payment', () => {
  const told = (operation: string) =>
    noticeOf(
      newEvent({
        type: 'payment_intent.processing',
        object: { object: 'payment_intent', id: 'pi_1', metadata: { operation } },
      }),
      app.now(),
    )
  const newest = () =>
    deps.db
      .selectFrom('attempts')
      .selectAll()
      .orderBy('created', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()

  it('whose first call still runs is checked when the call has answered', async () => {
    const before = fake.requests.length
    fake.fault('POST /v1/payment_intents/{intent}/confirm', '500_BEFORE')
    app.pass(1)
    const paying = pay('4000000000000077')
    await expect
      .poll(() => fake.requests.slice(before).some(({ url }) => url.endsWith('/confirm')))
      .toBe(true)
    const running = await newest()
    expect(running.state).toBe('SENT')
    expect((await send(told(running.id))).status).toBe(204)
    const unchanged = await newest()
    expect([unchanged.state, unchanged.next_check]).toEqual(['SENT', running.next_check])
    const payment = await paying
    expect(payment.status).toBe('PENDING')
    fake.settle()
    await reconcileDue(deps)
    expect(await client.read(payment.id)).toMatchObject({ status: 'SUCCESS' })
  })

  it('of another merchant changes nothing of it', async () => {
    const other = await app.newMerchant()
    const { id } = await connectStripe(app, other, fake, {}, WEBHOOK_SECRET)
    app.pass(1)
    await pay('4000000000000077')
    const before = await newest()
    expect((await send(told(before.id), id)).status).toBe(204)
    expect(await newest()).toEqual(before)
  })
})

/** The routes alone, in another state than those of the app. */
function mountRoutes(given: Partial<NoticeRoutesOptions>) {
  const expedite = { operations: async () => {}, changes: async () => {} }
  const server = new Hono()
  server.onError(handleErrors(deps))
  server.use((c, next) => {
    c.set('client', { address: '203.0.113.7', https: true, isHeaderShort: false })
    return next()
  })
  server.route('/', noticeRoutes(deps, { expedite, draining: () => false, ...given }))
  return async (to: string, { body, signature }: Notice) =>
    server.request(`/stripe/webhooks/${to}`, {
      method: 'POST',
      body,
      headers: { 'stripe-signature': signature },
    })
}

describe('refused, without a trace,', () => {
  const body = () => JSON.stringify({ id: `evt_${(events += 1)}`, type: 'x', livemode: false })
  const at = (ms: number) => {
    const text = body()
    return { body: text, signature: sign(text, app.now() + ms) }
  }

  it.each<[string, () => Notice, number]>([
    ['a signature by another secret', () => signed(body(), 'whsec_other'), 400],
    ['a signature of another body', () => ({ ...signed(body()), body: body() }), 400],
    ['no signature', () => ({ body: body(), signature: '' }), 400],
    ['a signature that is too old', () => at(-301_000), 400],
    ['a signature of the future', () => at(301_000), 400],
    ['a signature without a time', () => ({ ...signed(body()), signature: 'v1=00' }), 400],
    ['the other mode', () => noticeOf(newEvent({ livemode: true }), app.now()), 400],
    ['JSON that is broken', () => signed('{"id": "evt_1"'), 400],
    ['JSON that is no event', () => signed('[]'), 400],
    ['an event without an id', () => signed('{"type": "x", "livemode": false}'), 400],
    ['a body that is too long', () => signed(`{"id": "${'x'.repeat(300_000)}"}`), 413],
  ])('is %s', async (_what, notice, status) => {
    const before = await noticeIds()
    const refused = await send(notice())
    expect(refused.status).toBe(status)
    expect(refused.text).not.toContain('evt_')
    expect(await noticeIds()).toEqual(before)
  })

  it('is an unknown connection as a disabled one and one of another processor', async () => {
    const notice = noticeOf(newEvent(), app.now())
    const unknown = await send(notice, 'pr_1893456000000_0000000000000000')
    await updateConnection({ status: 'DISABLED' })
    const disabled = await send(notice)
    await updateConnection({ status: 'ACTIVE' })
    const foreign = await app.call(`/processors/mollie/webhooks/${connection}`, {
      raw: notice.body,
    })
    expect([unknown.status, unknown.text]).toEqual([404, disabled.text])
    expect([disabled.status, foreign.status, foreign.text]).toEqual([404, 404, disabled.text])
  })

  it('takes the same queries for an unknown connection as for a disabled one', async () => {
    const notice = noticeOf(newEvent(), app.now())
    const queriesOf = async (id?: string) =>
      (await queriesDuring(app, () => send(notice, id))).map((query) => query.sql)
    const unknown = await queriesOf('pr_1893456000000_0000000000000000')
    await updateConnection({ status: 'DISABLED' })
    const disabled = await queriesOf()
    await updateConnection({ status: 'ACTIVE' })
    expect(unknown).toHaveLength(1)
    expect(disabled).toEqual(unknown)
  })

  it('is everything while the server shuts down', async () => {
    const event = newEvent()
    const { body, signature } = noticeOf(event, app.now())
    const ending = mountRoutes({ draining: () => true })
    const response = await ending(connection, { body, signature })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30'])
    expect(await noticeIds()).not.toContain(event.id)
  })

  it('is what a network sends too fast, also with a wrong signature', async () => {
    const sendFast = mountRoutes({ perMinute: 3 })
    const notice = () => noticeOf(newEvent(), app.now())
    const statuses = [
      await sendFast(connection, { body: '{}', signature: 'wrong' }),
      await sendFast('pr_1893456000000_0000000000000000', notice()),
      await sendFast(connection, notice()),
    ].map(({ status }) => status)
    expect(statuses).toEqual([400, 404, 204])
    const refused = await sendFast(connection, notice())
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send(notice())).status).toBe(204)
    app.pass(MINUTE_MS)
    expect((await sendFast(connection, notice())).status).toBe(204)
  })

  it('is everything while the disk is nearly full', async () => {
    const event = newEvent()
    hasDiskSpace = false
    const refused = await send(noticeOf(event, app.now()))
    hasDiskSpace = true
    expect(refused.status).toBe(503)
    expect(await noticeIds()).not.toContain(event.id)
    expect((await send(noticeOf(event, app.now()))).status).toBe(204)
  })

  it('is everything that Stripe’s own verification refuses, and nothing else', async () => {
    const secrets = fc.constantFrom(WEBHOOK_SECRET, 'whsec_other', WEBHOOK_SECRET.slice(1))
    const texts = fc.oneof(
      fc.constant('{"id":"evt_random","type":"x","livemode":false}'),
      fc.json(),
      fc.string(),
    )
    const headers = (text: string) =>
      fc
        .tuple(secrets, fc.integer({ min: -310, max: 300 }), fc.nat(4), fc.string())
        .map(([secret, seconds, way, noise]) => {
          const valid = sign(text || ' ', app.now() + seconds * 1000, secret)
          const [time, v1] = valid.split(',')
          return [valid, `${time},v1=${'0'.repeat(64)},${v1}`, `${v1}`, `${time},v0=${v1}`, noise][
            way
          ] as string
        })
    const cases = texts.chain((text) => fc.tuple(fc.constant(text), headers(text)))
    await fc.assert(
      fc.asyncProperty(cases, async ([text, header]) => {
        const signature = header.replaceAll(/[^\x20-\x7e]/g, '').trim()
        const received = await send({ body: text, signature })
        let accepted: { id?: unknown; livemode?: unknown } | undefined
        try {
          accepted = Stripe.webhooks.constructEvent(
            text,
            signature,
            WEBHOOK_SECRET,
            300,
            undefined,
            app.now(),
          )
        } catch {
          accepted = undefined
        }
        const isOurs = accepted?.id === 'evt_random' && accepted.livemode === false
        expect(received.status).toBe(isOurs ? 204 : 400)
      }),
      { numRuns: 200 },
    )
  })
})

describe('during a rotation of the secret,', () => {
  it('the one before it counts until its time, and then no more', async () => {
    const keys = readOrCreateEncryptionKeys(deps.config) as EncryptionKeys
    const before = await connectionRow()
    const next = 'whsec_next'
    await updateConnection({
      webhook_secret: encrypt(keys, next, secretPurpose(before, 'webhook_secret')),
      previous_webhook_secret: encrypt(
        keys,
        WEBHOOK_SECRET,
        secretPurpose(before, 'previous_webhook_secret'),
      ),
      previous_until: new Date(app.now() + MINUTE_MS).toISOString(),
    })
    const both = async () => [
      (await send(noticeOf(newEvent(), app.now(), next))).status,
      (await send(noticeOf(newEvent(), app.now(), WEBHOOK_SECRET))).status,
    ]
    expect(await both()).toEqual([204, 204])
    app.pass(MINUTE_MS)
    expect(await both()).toEqual([204, 400])
    const { webhook_secret } = before
    await updateConnection({ webhook_secret, previous_webhook_secret: null, previous_until: null })
  })
})

it('a refusal is counted, and logs no body, signature or secret', () => {
  expect(deps.security.counts().get('notice_refused')).toBeGreaterThan(0)
  expect(app.logged()).toContain('a notification was refused')
  expect(app.logged()).not.toMatch(/whsec_|v1=|evt_random/)
})
