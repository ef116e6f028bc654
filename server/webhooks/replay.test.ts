import { afterEach, describe, expect, it } from 'vitest'
import { pruneEvents } from '../events/prune.ts'
import { newId } from '../ids.ts'
import type { ListReads } from '../deps.ts'
import { startTestApp } from '../../test/app.ts'
import { DAY_MS } from '../../test/payments-client.ts'
import { SYSTEM } from '../actor-sessions/store.ts'
import { createDeliverer } from './deliver.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { replayEvents } from './replay.ts'
import {
  LOCAL_RECEIVERS,
  forgetWebhooks,
  happen,
  newWebhook,
  startReceiver,
  verified,
  deliverAll,
  type Listener,
  newListener,
} from '../../test/webhook-receiver.ts'

const app = await startTestApp(LOCAL_RECEIVERS)
const { deps } = app.checkstand

afterEach(() => forgetWebhooks(app))

/** A merchant to whom three things happened, a minute apart, and all were delivered. */
async function listenerWithHistory() {
  const listener = await newListener(app, { events: ['account.*', 'charge.*'] })
  const { merchant, receiver } = listener
  const events: string[] = []
  const times: string[] = []
  for (const type of ['account.created', 'charge.created', 'account.updated'] as const) {
    app.pass(60_000)
    times.push(new Date(app.now()).toISOString())
    events.push(await happen(app, merchant, type))
    await deliverAll(app)
  }
  expect(receiver.ids()).toEqual(events)
  receiver.received.splice(0)
  return { ...listener, events, times }
}

describe('a replay', () => {
  it.each<[string, (h: { events: string[]; times: string[] }) => object, number[]]>([
    ['one event', ({ events }) => ({ event: events[1] }), [1]],
    ['a type', () => ({ type: 'account.updated' }), [2]],
    ['a kind of types', () => ({ type: 'account.*' }), [0, 2]],
    ['every type', () => ({ type: '*' }), [0, 1, 2]],
    ['what came later', ({ times }) => ({ from: times[1] }), [1, 2]],
    ['what came earlier', ({ times }) => ({ to: times[1] }), [0, 1]],
    ['a moment', ({ times }) => ({ from: times[1], to: times[1] }), [1]],
    ['a moment elsewhere', ({ times }) => ({ to: times[0]?.replace('Z', '+00:00') }), [0]],
    ['a type in a range', ({ times }) => ({ type: 'account.*', from: times[1] }), [2]],
    ['one event, but not then', ({ events, times }) => ({ event: events[0], from: times[1] }), []],
    ['nothing', () => ({ from: '2040-01-01T00:00:00Z' }), []],
  ])('sends %s again, under the same ids', async (_what, params, expected) => {
    const history = await listenerWithHistory()
    const { json } = await history.replay(params(history) as Record<string, unknown>)
    expect(json).toEqual({ replay: { deliveries: expected.length } })
    await deliverAll(app)
    const ids = expected.map((at) => history.events[at] as string)
    expect(history.receiver.ids().toSorted()).toEqual(ids.toSorted())
    for (const request of history.receiver.received) {
      expect(request.headers['webhook-id']).toBe(request.event.id)
      expect(verified(app, history.webhook.secret, request)).toBeTruthy()
    }
  })

  it('that is requested twice sends once', async () => {
    const { receiver, replay, events } = await listenerWithHistory()
    await Promise.all([replay({ type: '*' }), replay({ type: '*' })])
    await deliverAll(app)
    expect(receiver.ids().toSorted()).toEqual(events.toSorted())
  })

  describe('whose events are found', () => {
    /** Replays everything; `happens` runs between the search for events and their deliveries. */
    const replayAll = ({ merchant, webhook }: Listener, happens: () => Promise<unknown>) => {
      const listReads: ListReads = {
        async inTurn(instanceId, work) {
          const found = await deps.listReads.inTurn(instanceId, work)
          await happens()
          return found
        },
      }
      return replayEvents({ ...deps, listReads }, merchant.instance.id, webhook.id, { type: '*' })
    }

    it('leaves out those that are pruned meanwhile', async () => {
      const listener = await listenerWithHistory()
      app.pass(31 * DAY_MS)
      const recent = await happen(app, listener.merchant)
      expect(await replayAll(listener, () => pruneEvents(deps))).toBe(1)
      await deliverAll(app)
      expect(new Set(listener.receiver.ids())).toEqual(new Set([recent]))
    })

    it('sends nothing to a webhook that is deleted meanwhile', async () => {
      const listener = await listenerWithHistory()
      const { merchant, webhook } = listener
      const remove = () => deleteWebhook(deps, merchant.instance.id, webhook.id, SYSTEM)
      await expect(replayAll(listener, remove)).rejects.toThrow('Webhook not found')
    })
  })

  it('restarts the attempts', async () => {
    const { receiver, replay, deliveries, events } = await listenerWithHistory()
    await deps.db
      .updateTable('deliveries')
      .set({ status: 'FAILED', attempts: 11, next_attempt: null, delivered: null })
      .where('event_id', '=', events[0] as string)
      .execute()
    receiver.answer(500)
    await replay({ event: events[0] })
    await deliverAll(app)
    const restarted = (await deliveries()).find(({ event }) => event === events[0])
    expect(restarted).toMatchObject({ status: 'WAITING', attempts: 1 })
    expect(Date.parse(restarted.next_attempt) - app.now()).toBeLessThan(6000)
  })

  it('is not undone by an attempt that fails meanwhile', async () => {
    const { receiver, replay, deliveries, events } = await listenerWithHistory()
    await replay({ event: events[0] })
    await deps.db
      .updateTable('deliveries')
      .set({ attempts: 10 })
      .where('event_id', '=', events[0] as string)
      .execute()
    const release = receiver.hold(500)
    const deliverer = createDeliverer(deps)
    await deliverer.start()
    await receiver.until(1)
    await replay({ event: events[0] })
    release()
    await deliverer.drain()
    app.pass(30_000)
    await deliverAll(app)
    const statuses = (await deliveries()).map(({ status }) => status)
    expect(statuses).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED'])
    expect(receiver.ids()).toEqual([events[0], events[0]])
  })

  it('sends events that are older than the webhook', async () => {
    const [merchant, receiver] = [await app.newMerchant(), await startReceiver()]
    const event = await happen(app, merchant)
    const { id } = await newWebhook(merchant, receiver.url)
    await deliverAll(app)
    expect(receiver.received).toEqual([])
    await merchant.api(`/instance_webhooks/${id}/replay`, { body: { replay: { type: '*' } } })
    await deliverAll(app)
    expect(receiver.ids()).toEqual([event])
  })

  it('sends only events to which the webhook subscribes', async () => {
    const { merchant, receiver, replay } = await listenerWithHistory()
    const refund = await happen(app, merchant, 'refund.success')
    expect((await replay({ type: '*' })).json.replay.deliveries).toBe(3)
    expect((await replay({ type: 'refund.*' })).json.replay.deliveries).toBe(0)
    const { status, json } = await replay({ event: refund })
    expect([status, json.error]).toEqual([
      400,
      { type: 'INVALID_STATE', message: 'The webhook does not subscribe to refund.success' },
    ])
    await deliverAll(app)
    expect(receiver.ids()).not.toContain(refund)
  })

  it('waits while the webhook is disabled', async () => {
    const { receiver, change, replay, events } = await listenerWithHistory()
    await change({ enabled: false })
    expect((await replay({ event: events[0] })).json.replay.deliveries).toBe(1)
    await deliverAll(app)
    expect(receiver.received).toEqual([])
    await change({ enabled: true })
    await deliverAll(app)
    expect(receiver.ids()).toEqual([events[0]])
  })

  it('accepts ten thousand events and rejects more', async () => {
    const { merchant, replay } = await listenerWithHistory()
    const add = async (count: number) => {
      const created = new Date(app.now()).toISOString()
      const event = { type: 'account.created' as const, data: '{}', fan_out: 0, created }
      const rows = Array.from({ length: count }, () => ({
        ...event,
        id: newId('evt', app.now()),
        instance_id: merchant.instance.id,
      }))
      while (rows.length > 0) {
        await deps.db.insertInto('events').values(rows.splice(0, 1000)).execute()
      }
    }
    await add(9997)
    expect((await replay({ type: '*' })).json.replay.deliveries).toBe(10_000)
    await add(1)
    const { status, json } = await replay({ type: '*' })
    expect(status).toBe(400)
    expect(json.error.message).toBe(
      'replay matches more than 10000 events; narrow it with from and to',
    )
    expect((await replay({ type: 'account.updated' })).status).toBe(200)
  }, 60_000)

  it.each([
    [{}, 'replay must name an event, a type, from or to'],
    [{ type: 'nothing.*' }, 'replay.type is nothing.*, which is not an event type'],
    [{ from: 'yesterday' }, 'replay.from must be an RFC 3339 date-time'],
    [{ events: [] }, 'Unknown field replay.events'],
  ])('of %j is refused', async (params, message) => {
    const { replay } = await newListener(app)
    const { status, json } = await replay(params)
    expect(status).toBe(400)
    expect(json.error.message).toContain(message)
  })

  it('of another merchant’s event sends nothing', async () => {
    const { events } = await listenerWithHistory()
    const { replay } = await newListener(app)
    for (const event of [events[0], 'evt_1_a', 'nonsense', '\0']) {
      const { status, json } = await replay({ event })
      expect([status, json.error.message]).toEqual([404, 'Event not found'])
    }
  })
})
