import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { deliverDue } from '../webhooks/deliver.ts'
import { fanOutEvents } from '../webhooks/fan-out.ts'
import {
  accountWith,
  happen,
  LOCAL_RECEIVERS,
  newWebhook,
  startReceiver,
} from '../../test/webhook-receiver.ts'
import { pruneEvents } from './prune.ts'

const app = await startTestApp(LOCAL_RECEIVERS)
const { deps } = app.checkstand
const DAY_MS = 86_400_000

describe('an event', () => {
  it('is returned as webhooks carry it', async () => {
    const merchant = await app.newMerchant()
    const data = accountWith({ metadata: { a: 'ü' }, v: 3 })
    const id = await happen(app, merchant, 'account.updated', data)
    expect((await merchant.api(`/events/${id}`)).json).toEqual({
      event: {
        id,
        type: 'account.updated',
        created: new Date(app.now()).toISOString(),
        instance: 'default',
        v: 1,
        data,
      },
    })
  })

  it('of another merchant is not found', async () => {
    const id = await happen(app, await app.newMerchant())
    const other = await app.newMerchant()
    for (const idOrKey of [id, 'evt_1_a', 'nonsense', '%00']) {
      const { status, json } = await other.api(`/events/${idOrKey}`)
      expect([status, json.error]).toEqual([404, { type: 'NOT_FOUND', message: 'Event not found' }])
    }
    expect((await other.api('/events')).json).toEqual({
      events: [],
      meta: { limit: 20, offset: 0, total: 0 },
    })
  })
})

describe('a list of events', () => {
  it('is newest first, filtered, ordered and paged', async () => {
    const merchant = await app.newMerchant()
    const ids: string[] = []
    const strings = { language: 'fr', branding: null, ids: ['methods.title'] }
    for (const [type, data] of [
      ['account.created', undefined],
      ['strings.updated', { strings }],
      ['account.updated', undefined],
    ] as const) {
      app.pass(1000)
      ids.push(await happen(app, merchant, type, data))
    }
    const listed = async (query: Record<string, string>) => {
      const { json } = await merchant.api(`/events?${new URLSearchParams(query).toString()}`)
      return json.events.map(({ id }: { id: string }) => ids.indexOf(id)).join('')
    }
    expect(await listed({})).toBe('210')
    expect(await listed({ criteria: 'type=strings.updated' })).toBe('1')
    expect(await listed({ criteria: 'type~=account.' })).toBe('20')
    expect(await listed({ order: 'created', limit: '1', offset: '1' })).toBe('1')
    for (const query of ['criteria=data=1', 'criteria=type=account.none', 'expand=data']) {
      expect((await merchant.api(`/events?${query}`)).status, query).toBe(400)
    }
  })
})

describe('thirty days later', () => {
  it('an event is deleted with its deliveries', async () => {
    const merchant = await app.newMerchant()
    const { id: webhook } = await newWebhook(merchant, 'https://shop.example/hooks')
    const deliveries = `/instance_webhooks/${webhook}/deliveries`
    for (let i = 0; i < 250; i += 1) await happen(app, merchant)
    app.pass(1)
    const younger = await happen(app, merchant)
    await fanOutEvents(deps)
    app.pass(30 * DAY_MS - 1)
    await pruneEvents(deps)
    expect((await merchant.api('/events')).json.meta.total).toBe(251)
    app.pass(1)
    await pruneEvents(deps)
    expect(
      (await merchant.api('/events')).json.events.map((event: { id: string }) => event.id),
    ).toEqual([younger])
    expect((await merchant.api(deliveries)).json.deliveries).toMatchObject([{ event: younger }])
    app.pass(1)
    await pruneEvents(deps)
    expect((await merchant.api('/events')).json.meta.total).toBe(0)
    expect((await merchant.api(deliveries)).json.meta.total).toBe(0)
  })

  it('an event that is not fanned out yet is kept and sent', async () => {
    const merchant = await app.newMerchant()
    const { id: webhook } = await newWebhook(merchant, 'https://shop.example/hooks')
    const event = await happen(app, merchant)
    app.pass(40 * DAY_MS)
    await pruneEvents(deps)
    expect((await merchant.api(`/events/${event}`)).status).toBe(200)
    await fanOutEvents(deps)
    const { deliveries } = (await merchant.api(`/instance_webhooks/${webhook}/deliveries`)).json
    expect(deliveries).toMatchObject([{ event, status: 'WAITING' }])
    await pruneEvents(deps)
    expect((await merchant.api(`/events/${event}`)).status).toBe(200)
    app.pass(8 * DAY_MS + 1)
    await pruneEvents(deps)
    expect((await merchant.api(`/events/${event}`)).status).toBe(404)
  })

  it('a replayed event is kept while its delivery is retried', async () => {
    const [merchant, receiver] = [await app.newMerchant(), await startReceiver()]
    const webhook = await newWebhook(merchant, receiver.url)
    const event = await happen(app, merchant)
    await fanOutEvents(deps)
    await deliverDue(deps)
    app.pass(30 * DAY_MS - 60_000)
    const again = { body: { replay: { event } } }
    await merchant.api(`/instance_webhooks/${webhook.id}/replay`, again)
    receiver.answer(503)
    await deliverDue(deps)
    app.pass(120_000)
    await pruneEvents(deps)
    receiver.answer(204)
    await deliverDue(deps)
    expect(receiver.ids()).toEqual([event, event, event])
    await pruneEvents(deps)
    expect((await merchant.api(`/events/${event}`)).status).toBe(404)
  })
})
