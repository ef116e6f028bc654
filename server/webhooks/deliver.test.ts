import { afterEach, describe, expect, it } from 'vitest'
import { startJobs } from '../jobs/scheduler.ts'
import { createHttpClient } from '../outbound/http-client.ts'
import { webhookBody } from '../../test/openapi/check.ts'
import type { Operation } from '../../test/openapi/find-operation.ts'
import { serverDocument } from '../../test/openapi/expect-documented.ts'
import { createValidators } from '../../test/openapi/validators.ts'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { LEASE_MS, createDeliverer, deliverDue } from './deliver.ts'
import { leaseDue } from './deliveries.ts'
import { fanOutEvents } from './fan-out.ts'
import { RETRY_AFTER_MS } from './retry-schedule.ts'
import {
  accountWith,
  forgetWebhooks,
  happen,
  LOCAL_RECEIVERS,
  newWebhook,
  type Receiver,
  startReceiver,
  verified,
} from '../../test/webhook-receiver.ts'

const app = await startTestApp(LOCAL_RECEIVERS)
const { deps } = app.checkstand
afterEach(() => forgetWebhooks(app))

/** A merchant whose one webhook leads to a receiver of its own. */
async function listeningMerchant() {
  const [merchant, receiver] = [await app.newMerchant(), await startReceiver()]
  return { merchant, receiver, webhook: await newWebhook(merchant, receiver.url) }
}

async function deliverAll() {
  await fanOutEvents(deps)
  return deliverDue(deps)
}

const deliveriesTo = async (merchant: Merchant, id: string) =>
  (await merchant.api(`/instance_webhooks/${id}/deliveries`)).json.deliveries

const iso = (ms: number) => new Date(ms).toISOString()

describe('a delivery', () => {
  it('carries the event as the API returns it, with a signature that the Standard Webhooks library verifies', async () => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    const data = accountWith({ company: 'Ünï & <Söhne>', metadata: { '2': 'b' } })
    const id = await happen(app, merchant, 'account.updated', data)
    await deliverAll()
    const [request] = receiver.received
    if (!request) throw new Error('nothing came')
    const { event } = (await merchant.api(`/events/${id}`)).json
    expect(event).toEqual({
      id,
      type: 'account.updated',
      created: iso(app.now()),
      instance: 'default',
      v: 1,
      data,
    })
    expect(verified(app, webhook.secret, request)).toEqual({ event })
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(app.now() / 1000),
    })
    expect(() => verified(app, webhook.secret, { ...request, body: `${request.body} ` })).toThrow(
      'No matching signature',
    )
  })

  it('matches the OpenAPI document', async () => {
    const { merchant, receiver } = await listeningMerchant()
    await happen(app, merchant, 'account.updated', accountWith())
    await deliverAll()
    const [request] = receiver.received
    if (!request) throw new Error('nothing came')
    const document = serverDocument()
    const { problemOf, textProblemOf } = createValidators(document)
    expect(problemOf(webhookBody('account.updated'), JSON.parse(request.body))).toBeUndefined()
    const post = ['webhooks', 'account.updated', 'post']
    const { parameters } = (document.webhooks['account.updated'] as { post: Operation }).post
    expect(parameters).toHaveLength(3)
    for (const [at, { name }] of (parameters ?? []).entries()) {
      const text = request.headers[name] ?? ''
      const schema = [...post, 'parameters', String(at), 'schema']
      expect(textProblemOf(schema, text), name).toBeUndefined()
    }
  })

  it('is sent once when it succeeds', async () => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    await happen(app, merchant)
    await deliverAll()
    expect(await deliveriesTo(merchant, webhook.id)).toMatchObject([
      {
        status: 'DELIVERED',
        attempts: 1,
        last_attempt: iso(app.now()),
        next_attempt: null,
        response_status: 204,
        error: null,
        delivered: iso(app.now()),
      },
    ])
    app.pass(4 * 86_400_000)
    await deliverAll()
    expect(receiver.received).toHaveLength(1)
  })

  it('is sent within a quarter of a second of the commit', async () => {
    const { merchant, receiver } = await listeningMerchant()
    const stop = startJobs(deps)
    try {
      const took: number[] = []
      for (let n = 1; n <= 5; n += 1) {
        await happen(app, merchant)
        const committed = performance.now()
        await receiver.until(n)
        took.push(performance.now() - committed)
      }
      // A machine that is busy with something else delays some of them and not all.
      expect(Math.min(...took)).toBeLessThan(250)
    } finally {
      await stop()
    }
  })
})

describe('a failed attempt', () => {
  it.each([
    [300, 'REDIRECT'],
    [301, 'REDIRECT'],
    [304, 'REDIRECT'],
    [307, 'REDIRECT'],
    [400, 'BAD_STATUS'],
    [404, 'BAD_STATUS'],
    [429, 'BAD_STATUS'],
    [500, 'BAD_STATUS'],
  ])('the status %i is %s', async (status, error) => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    receiver.answer((response) => response.writeHead(status, { location: receiver.url }).end())
    await happen(app, merchant)
    await deliverAll()
    expect(receiver.received).toHaveLength(1)
    expect(await deliveriesTo(merchant, webhook.id)).toMatchObject([
      { status: 'WAITING', attempts: 1, response_status: status, error, delivered: null },
    ])
  })

  it.each([200, 201, 202, 204, 299])('is not one with the status %i', async (status) => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    receiver.answer(status)
    await happen(app, merchant)
    await deliverAll()
    expect(await deliveriesTo(merchant, webhook.id)).toMatchObject([{ status: 'DELIVERED' }])
  })

  it('is one with a response after the deadline', async () => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    receiver.answer(() => {})
    await happen(app, merchant)
    await fanOutEvents(deps)
    await deliverDue(deps, createHttpClient({ allow: [], deadlineMs: 100 }))
    expect(await deliveriesTo(merchant, webhook.id)).toMatchObject([
      { status: 'WAITING', response_status: null, error: 'TIMEOUT' },
    ])
  })

  it('is one whose address is internal now, and nothing is sent there', async () => {
    const [merchant, receiver] = [await app.newMerchant({ mode: 'LIVE' }), await startReceiver()]
    const { id } = await newWebhook(merchant, 'https://shop.example/hooks')
    await happen(app, merchant)
    await fanOutEvents(deps)
    await deliverDue(deps, createHttpClient({ allow: [], resolve: async () => ['127.0.0.1'] }))
    expect(await deliveriesTo(merchant, id)).toMatchObject([{ error: 'ADDRESS_REFUSED' }])
    expect(receiver.received).toEqual([])
  })

  it('does not reveal the body of the response', async () => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    receiver.answer((response) => response.writeHead(500).end('the intranet’s secret page'))
    await happen(app, merchant)
    await deliverAll()
    const { text } = await merchant.api(`/instance_webhooks/${webhook.id}/deliveries`)
    expect(text).not.toContain('secret page')
    expect(app.logged()).not.toContain('secret page')
  })
})

describe('after a failure', () => {
  it('the delivery is retried on schedule with the same id, eleven times in all', async () => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    const id = await happen(app, merchant)
    const ofIt = () => receiver.received.filter(({ event }) => event.id === id)
    const delivery = async () =>
      (await deliveriesTo(merchant, webhook.id)).find(
        ({ event }: { event: string }) => event === id,
      )
    // Everything else arrives, or five days of failures would disable the webhook.
    receiver.answer((response, { event }) => response.writeHead(event.id === id ? 500 : 204).end())
    await deliverAll()
    for (const [at, wait] of RETRY_AFTER_MS.entries()) {
      const { next_attempt, last_attempt } = await delivery()
      const due = Date.parse(next_attempt)
      expect(Date.parse(last_attempt)).toBe(app.now())
      expect(due - app.now()).toBeGreaterThanOrEqual(wait)
      expect(due - app.now()).toBeLessThanOrEqual(wait * 1.1)
      app.pass(due - app.now() - 1)
      await happen(app, merchant)
      await deliverAll()
      expect(ofIt()).toHaveLength(at + 1)
      app.pass(1)
      await deliverAll()
      expect(ofIt()).toHaveLength(at + 2)
      const [first, last] = [ofIt()[0], ofIt().at(-1)]
      if (!first || !last) throw new Error('nothing came')
      expect([last.headers['webhook-id'], last.body]).toEqual([id, first.body])
      expect(verified(app, webhook.secret, last)).toEqual(JSON.parse(first.body))
    }
    expect(await delivery()).toMatchObject({ status: 'FAILED', attempts: 11, next_attempt: null })
    app.pass(7 * 86_400_000)
    await deliverAll()
    expect(ofIt()).toHaveLength(11)
  })

  it('the delivery succeeds as soon as the receiver is back', async () => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    receiver.answer(503)
    await happen(app, merchant)
    await deliverAll()
    receiver.answer(204)
    app.pass(5500)
    await deliverAll()
    expect(await deliveriesTo(merchant, webhook.id)).toMatchObject([
      { status: 'DELIVERED', attempts: 2, response_status: 204, error: null },
    ])
  })
})

describe('a slow receiver', () => {
  it('delays no other webhook and has few attempts in flight', async () => {
    const hung = await listeningMerchant()
    const live = await listeningMerchant()
    const hanging: (() => void)[] = []
    hung.receiver.answer((response) => hanging.push(() => response.writeHead(204).end()))
    for (let i = 0; i < 12; i += 1) await happen(app, hung.merchant)
    await happen(app, live.merchant)
    await fanOutEvents(deps)
    const deliverer = createDeliverer(deps)
    expect(await deliverer.start()).toBe(6)
    await Promise.all([hung.receiver.until(5), live.receiver.until(1)])
    // A later round delivers to the working one only.
    await happen(app, live.merchant)
    await fanOutEvents(deps)
    expect(await deliverer.start()).toBe(1)
    await live.receiver.until(2)
    expect(hung.receiver.received).toHaveLength(5)
    // Once it responds, its other deliveries follow.
    hung.receiver.answer(204)
    for (const respond of hanging) respond()
    await deliverer.drain()
    while ((await deliverer.start()) > 0) await deliverer.drain()
    expect(new Set(hung.receiver.ids()).size).toBe(12)
    expect(hung.receiver.received).toHaveLength(12)
  })

  it('has one slot while it fails', async () => {
    const { merchant, receiver } = await listeningMerchant()
    receiver.answer(500)
    await happen(app, merchant)
    await deliverAll()
    const pending: (() => void)[] = []
    receiver.answer((response) => pending.push(() => response.writeHead(204).end()))
    for (let i = 0; i < 3; i += 1) await happen(app, merchant)
    await fanOutEvents(deps)
    const deliverer = createDeliverer(deps)
    expect(await deliverer.start()).toBe(1)
    await receiver.until(2)
    expect(await deliverer.start()).toBe(0)
    receiver.answer(204)
    pending[0]?.()
    await deliverer.drain()
    expect(await deliverer.start()).toBe(2)
    await deliverer.drain()
  })
})

describe('slow receivers', () => {
  /** Holds all responses. Returns a function that releases them and stops holding. */
  function hold(receiver: Receiver): () => void {
    const pending: (() => void)[] = []
    receiver.answer((response) => pending.push(() => response.writeHead(204).end()))
    return () => {
      receiver.answer(204)
      for (const respond of pending) respond()
    }
  }

  it('of two merchants, with many webhooks and events, do not delay a third one', async () => {
    const held = () => deps.db.selectFrom('deliveries').where('leased_until', 'is not', null)
    const count = async () => (await held().select('id').execute()).length
    const releases: (() => void)[] = []
    for (const holder of [await listeningMerchant(), await listeningMerchant()]) {
      releases.push(hold(holder.receiver))
      for (let n = 1; n < 20; n += 1) await newWebhook(holder.merchant, holder.receiver.url)
      for (let n = 0; n < 40; n += 1) await happen(app, holder.merchant)
    }
    const third = await listeningMerchant()
    const stop = startJobs(deps)
    try {
      await expect.poll(count, { timeout: 20_000 }).toBeGreaterThanOrEqual(40)
      await happen(app, third.merchant)
      await third.receiver.until(1)
      // Nothing of the others had to end for that.
      expect(await count()).toBeGreaterThanOrEqual(40)
      expect(await count()).toBeLessThanOrEqual(80)
    } finally {
      for (const release of releases) release()
      await forgetWebhooks(app)
      await stop()
    }
  })

  it('do not delay another webhook of the same merchant', async () => {
    const { merchant, receiver } = await listeningMerchant()
    const release = hold(receiver)
    for (let n = 1; n < 5; n += 1) await newWebhook(merchant, receiver.url)
    for (let n = 0; n < 30; n += 1) await happen(app, merchant)
    await fanOutEvents(deps)
    const deliverer = createDeliverer(deps)
    // Five webhooks that may have five places each, and twenty of the instance in all.
    expect(await deliverer.start()).toBe(20)
    expect(await deliverer.start()).toBe(0)
    const quick = await startReceiver()
    await newWebhook(merchant, quick.url)
    await happen(app, merchant)
    await fanOutEvents(deps)
    expect(await deliverer.start()).toBe(1)
    await quick.until(1)
    await receiver.until(20)
    release()
    await deliverer.drain()
  })
})

it('calls onEnded after each attempt', async () => {
  const { merchant, receiver } = await listeningMerchant()
  for (let n = 0; n < 7; n += 1) await happen(app, merchant)
  await fanOutEvents(deps)
  let ended = 0
  const deliverer = createDeliverer(deps, undefined, () => (ended += 1))
  expect(await deliverer.start()).toBe(5)
  await deliverer.drain()
  expect(ended).toBe(5)
  expect(await deliverer.start()).toBe(2)
  await deliverer.drain()
  expect(receiver.received).toHaveLength(7)
})

describe('two processes', () => {
  it('never send the same delivery', async () => {
    const { merchant, receiver } = await listeningMerchant()
    const events = []
    for (let i = 0; i < 30; i += 1) events.push(await happen(app, merchant))
    await Promise.all([fanOutEvents(deps), fanOutEvents(deps)])
    await Promise.all([deliverDue(deps), deliverDue(deps), deliverDue(deps)])
    expect(receiver.ids().toSorted()).toEqual(events.toSorted())
  })

  it('take over when a lease expires, and not before', async () => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    await happen(app, merchant)
    await fanOutEvents(deps)
    // This process leases it and dies.
    const leased = await leaseDue(deps.db, webhook.id, {
      now: iso(app.now()),
      until: iso(app.now() + LEASE_MS),
      limit: 5,
    })
    expect(leased).toHaveLength(1)
    app.pass(LEASE_MS - 1)
    await deliverAll()
    expect(receiver.received).toHaveLength(0)
    app.pass(1)
    await deliverAll()
    expect(receiver.received).toHaveLength(1)
  })

  it('do not record a failure whose lease was lost', async () => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    const stalled = Promise.withResolvers<void>()
    receiver.answer((response) => void stalled.promise.then(() => response.writeHead(500).end()))
    await happen(app, merchant)
    await fanOutEvents(deps)
    const slow = createDeliverer(deps)
    await slow.start()
    await receiver.until(1)
    app.pass(LEASE_MS)
    receiver.answer(204)
    await deliverDue(deps)
    stalled.resolve()
    await slow.drain()
    expect(await deliveriesTo(merchant, webhook.id)).toMatchObject([
      { status: 'DELIVERED', attempts: 1, response_status: 204 },
    ])
    const { json } = await merchant.api(`/instance_webhooks/${webhook.id}`)
    expect(json.instance_webhook.failing_since).toBeNull()
  })

  it('do not release a newer lease', async () => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    const stalled = Promise.withResolvers<void>()
    receiver.answer((response) => void stalled.promise.then(() => response.writeHead(500).end()))
    await happen(app, merchant)
    await fanOutEvents(deps)
    const slow = createDeliverer(deps)
    await slow.start()
    await receiver.until(1)
    app.pass(LEASE_MS)
    const until = iso(app.now() + LEASE_MS)
    await leaseDue(deps.db, webhook.id, { now: iso(app.now()), until, limit: 1 })
    stalled.resolve()
    await slow.drain()
    app.pass(LEASE_MS - 1)
    await deliverAll()
    expect(receiver.received).toHaveLength(1)
  })
})

describe('a new secret', () => {
  const rotate = async (merchant: Merchant, id: string) =>
    (await merchant.api(`/instance_webhooks/${id}/rotate`, { method: 'POST' })).json
      .instance_webhook

  it('signs beside the previous one for 24 hours, and then alone', async () => {
    const { merchant, receiver, webhook } = await listeningMerchant()
    const rotated = await rotate(merchant, webhook.id)
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(webhook.secret)
    expect(rotated.v).toBe(2)
    await happen(app, merchant)
    await deliverAll()
    app.pass(86_400_000 - 1)
    await happen(app, merchant)
    await deliverAll()
    for (const request of receiver.received) {
      expect(request.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    }
    const lastOfBoth = receiver.received[1]
    if (!lastOfBoth) throw new Error('nothing came')
    expect(verified(app, webhook.secret, lastOfBoth)).toBeTruthy()
    expect(verified(app, rotated.secret, lastOfBoth)).toBeTruthy()
    app.pass(1)
    await happen(app, merchant)
    await deliverAll()
    const alone = receiver.received[2]
    if (!alone) throw new Error('nothing came')
    expect(verified(app, rotated.secret, alone)).toBeTruthy()
    expect(() => verified(app, webhook.secret, alone)).toThrow('No matching signature')
  })

  it('is created once for one Idempotency-Key', async () => {
    const { merchant, webhook } = await listeningMerchant()
    const call = { method: 'POST', headers: { 'idempotency-key': 'rotate-1' } }
    const first = await merchant.api(`/instance_webhooks/${webhook.id}/rotate`, call)
    const second = await merchant.api(`/instance_webhooks/${webhook.id}/rotate`, call)
    expect([first.status, second.text]).toEqual([200, first.text])
    const { json } = await merchant.api(`/instance_webhooks/${webhook.id}`)
    expect(json.instance_webhook.v).toBe(2)
  })
})
