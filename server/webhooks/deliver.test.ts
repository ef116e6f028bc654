import { afterEach, describe, expect, it } from 'vitest'
import { startJobs } from '../jobs/scheduler.ts'
import { createHttpClient } from '../outbound/http-client.ts'
import { webhookBody } from '../../test/openapi/check.ts'
import type { Operation } from '../../test/openapi/find-operation.ts'
import { serverDocument } from '../../test/openapi/expect-documented.ts'
import { createValidators } from '../../test/openapi/validators.ts'
import { startTestApp } from '../../test/app.ts'
import { LEASE_MS, createDeliverer } from './deliver.ts'
import { leaseDue } from './deliveries.ts'
import { fanOutEvents } from './fan-out.ts'
import { RETRY_AFTER_MS } from './retry-schedule.ts'
import {
  accountWith,
  deliverAll,
  forgetWebhooks,
  happen,
  LOCAL_RECEIVERS,
  newListener,
  newWebhook,
  startReceiver,
  verified,
} from '../../test/webhook-receiver.ts'

const app = await startTestApp(LOCAL_RECEIVERS)
const { deps } = app.checkstand
afterEach(() => forgetWebhooks(app))

const iso = (ms: number) => new Date(ms).toISOString()

describe('a delivery', () => {
  it('carries the event as the API returns it, signed and as the OpenAPI document says', async () => {
    const { merchant, receiver, webhook } = await newListener(app)
    const data = accountWith({ company: 'Ünï & <Söhne>', metadata: { '2': 'b' } })
    const id = await happen(app, merchant, 'account.updated', data)
    await deliverAll(app)
    const request = receiver.last()
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
    const { receiver, notify, deliveries } = await newListener(app)
    await notify()
    expect(await deliveries()).toMatchObject([
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
    await deliverAll(app)
    expect(receiver.received).toHaveLength(1)
  })

  it('is sent within a quarter of a second of the commit', async () => {
    const { merchant, receiver } = await newListener(app)
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
    [200, null],
    [201, null],
    [202, null],
    [299, null],
  ])('has the status %i, which is %s', async (response_status, error) => {
    const { receiver, notify, deliveries } = await newListener(app)
    receiver.answer((response) =>
      response.writeHead(response_status, { location: receiver.url }).end(),
    )
    await notify()
    expect(receiver.received).toHaveLength(1)
    const outcome =
      error === null ? { status: 'DELIVERED' } : { status: 'WAITING', delivered: null }
    expect(await deliveries()).toMatchObject([{ ...outcome, attempts: 1, response_status, error }])
  })

  it('is one with a response after the deadline', async () => {
    const { merchant, receiver, deliveries } = await newListener(app)
    receiver.answer(() => {})
    await happen(app, merchant)
    await deliverAll(app, createHttpClient({ allow: [], deadlineMs: 100 }))
    expect(await deliveries()).toMatchObject([
      { status: 'WAITING', response_status: null, error: 'TIMEOUT' },
    ])
  })

  it('is one whose address is internal now, and nothing is sent there', async () => {
    const [merchant, receiver] = [await app.newMerchant({ mode: 'LIVE' }), await startReceiver()]
    const { id } = await newWebhook(merchant, 'https://shop.example/hooks')
    await happen(app, merchant)
    await deliverAll(app, createHttpClient({ allow: [], resolve: async () => ['127.0.0.1'] }))
    const { json } = await merchant.api(`/instance_webhooks/${id}/deliveries`)
    expect(json.deliveries).toMatchObject([{ error: 'ADDRESS_REFUSED' }])
    expect(receiver.received).toEqual([])
  })

  it('does not reveal the body of the response', async () => {
    const { receiver, notify, deliveries } = await newListener(app)
    receiver.answer((response) => response.writeHead(500).end('the intranet’s secret page'))
    await notify()
    expect(JSON.stringify(await deliveries())).not.toContain('secret page')
    expect(app.logged()).not.toContain('secret page')
  })
})

describe('after a failure', () => {
  it('the delivery is retried on schedule with the same id, eleven times in all', async () => {
    const { merchant, receiver, webhook, notify, deliveries } = await newListener(app)
    const id = await happen(app, merchant)
    const ofIt = () => receiver.received.filter(({ event }) => event.id === id)
    const delivery = async () =>
      (await deliveries()).find(({ event }: { event: string }) => event === id)
    // Everything else arrives, or five days of failures would disable the webhook.
    receiver.answer((response, { event }) => response.writeHead(event.id === id ? 500 : 204).end())
    await deliverAll(app)
    for (const [at, wait] of RETRY_AFTER_MS.entries()) {
      const { next_attempt, last_attempt } = await delivery()
      const due = Date.parse(next_attempt)
      expect(Date.parse(last_attempt)).toBe(app.now())
      expect(due - app.now()).toBeGreaterThanOrEqual(wait)
      expect(due - app.now()).toBeLessThanOrEqual(wait * 1.1)
      app.pass(due - app.now() - 1)
      await notify()
      expect(ofIt()).toHaveLength(at + 1)
      app.pass(1)
      await deliverAll(app)
      expect(ofIt()).toHaveLength(at + 2)
      const [last, body] = [receiver.last(), ofIt()[0]?.body as string]
      expect([last.headers['webhook-id'], last.body]).toEqual([id, body])
      expect(verified(app, webhook.secret, last)).toEqual(JSON.parse(body))
    }
    expect(await delivery()).toMatchObject({ status: 'FAILED', attempts: 11, next_attempt: null })
    app.pass(7 * 86_400_000)
    await deliverAll(app)
    expect(ofIt()).toHaveLength(11)
  })

  it('the delivery succeeds as soon as the receiver is back', async () => {
    const { receiver, notify, deliveries } = await newListener(app)
    receiver.answer(503)
    await notify()
    receiver.answer(204)
    app.pass(5500)
    await deliverAll(app)
    expect(await deliveries()).toMatchObject([
      { status: 'DELIVERED', attempts: 2, response_status: 204, error: null },
    ])
  })
})

describe('a slow receiver', () => {
  it('delays no other webhook and has few attempts in flight', async () => {
    const hung = await newListener(app)
    const live = await newListener(app)
    const release = hung.receiver.hold()
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
    release()
    await deliverer.drain()
    await deliverAll(app)
    expect(new Set(hung.receiver.ids()).size).toBe(12)
    expect(hung.receiver.received).toHaveLength(12)
  })

  it('has one slot while it fails', async () => {
    const { merchant, receiver, notify } = await newListener(app)
    receiver.answer(500)
    await notify()
    const release = receiver.hold()
    for (let i = 0; i < 3; i += 1) await happen(app, merchant)
    await fanOutEvents(deps)
    const deliverer = createDeliverer(deps)
    expect(await deliverer.start()).toBe(1)
    await receiver.until(2)
    expect(await deliverer.start()).toBe(0)
    release()
    await deliverer.drain()
    expect(await deliverer.start()).toBe(2)
    await deliverer.drain()
  })
})

describe('slow receivers', () => {
  it('of two merchants, with many webhooks and events, do not delay a third one', async () => {
    const held = () => deps.db.selectFrom('deliveries').where('leased_until', 'is not', null)
    const count = async () => (await held().select('id').execute()).length
    const releases: (() => void)[] = []
    for (const holder of [await newListener(app), await newListener(app)]) {
      releases.push(holder.receiver.hold())
      for (let n = 1; n < 20; n += 1) await newWebhook(holder.merchant, holder.receiver.url)
      for (let n = 0; n < 40; n += 1) await happen(app, holder.merchant)
    }
    const third = await newListener(app)
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
    const { merchant, receiver } = await newListener(app)
    const release = receiver.hold()
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
  const { merchant, receiver } = await newListener(app)
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
    const { merchant, receiver } = await newListener(app)
    const events = []
    for (let i = 0; i < 30; i += 1) events.push(await happen(app, merchant))
    await Promise.all([fanOutEvents(deps), fanOutEvents(deps)])
    await Promise.all([deliverAll(app), deliverAll(app), deliverAll(app)])
    expect(receiver.ids().toSorted()).toEqual(events.toSorted())
  })

  it('take over when a lease expires, and not before', async () => {
    const { merchant, receiver, webhook } = await newListener(app)
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
    await deliverAll(app)
    expect(receiver.received).toHaveLength(0)
    app.pass(1)
    await deliverAll(app)
    expect(receiver.received).toHaveLength(1)
  })

  /** A process whose only delivery fails after its lease was lost. */
  async function stalledProcess() {
    const listener = await newListener(app)
    const release = listener.receiver.hold(500)
    await happen(app, listener.merchant)
    await fanOutEvents(deps)
    const slow = createDeliverer(deps)
    await slow.start()
    await listener.receiver.until(1)
    app.pass(LEASE_MS)
    const fail = async () => {
      release()
      await slow.drain()
    }
    return { ...listener, fail }
  }

  it('do not record a failure whose lease was lost', async () => {
    const { receiver, read, deliveries, fail } = await stalledProcess()
    receiver.answer(204)
    await deliverAll(app)
    await fail()
    expect(await deliveries()).toMatchObject([
      { status: 'DELIVERED', attempts: 1, response_status: 204 },
    ])
    expect((await read()).failing_since).toBeNull()
  })

  it('do not release a newer lease', async () => {
    const { receiver, webhook, fail } = await stalledProcess()
    const until = iso(app.now() + LEASE_MS)
    await leaseDue(deps.db, webhook.id, { now: iso(app.now()), until, limit: 1 })
    await fail()
    app.pass(LEASE_MS - 1)
    await deliverAll(app)
    expect(receiver.received).toHaveLength(1)
  })
})

it('a new secret signs beside the previous one for 24 hours, and then alone', async () => {
  const { merchant, receiver, webhook, notify } = await newListener(app)
  const path = `/instance_webhooks/${webhook.id}/rotate`
  const rotated = (await merchant.api(path, { method: 'POST' })).json.instance_webhook
  expect(rotated.secret).toMatch(/^whsec_/)
  expect(rotated.secret).not.toBe(webhook.secret)
  expect(rotated.v).toBe(2)
  await notify()
  app.pass(86_400_000 - 1)
  await notify()
  for (const request of receiver.received) {
    expect(request.headers['webhook-signature']?.split(' ')).toHaveLength(2)
  }
  expect(verified(app, webhook.secret, receiver.last())).toBeTruthy()
  expect(verified(app, rotated.secret, receiver.last())).toBeTruthy()
  app.pass(1)
  await notify()
  expect(verified(app, rotated.secret, receiver.last())).toBeTruthy()
  expect(() => verified(app, webhook.secret, receiver.last())).toThrow('No matching signature')
})
