import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { fanOutEvents } from '../webhooks/fan-out.ts'
import {
  accountWith,
  happen,
  LOCAL_RECEIVERS,
  newWebhook,
  deliverAll,
  newListener,
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

  it.each(['evt_1_a', 'nonsense', '%00'])('is not found by %s', async (id) => {
    const { status, json } = await app.merchant.api(`/events/${id}`)
    expect([status, json.error]).toEqual([404, { type: 'NOT_FOUND', message: 'Event not found' }])
  })
})

it('a list of events is filtered by their types', async () => {
  const merchant = await app.newMerchant()
  await happen(app, merchant, 'account.created')
  await happen(app, merchant, 'account.updated')
  const strings = { language: 'fr', branding: null, ids: ['methods.title'] }
  await happen(app, merchant, 'strings.updated', { strings })
  const total = async (criteria: string) =>
    (await merchant.api(`/events?criteria=${criteria}`)).json.meta.total
  expect([await total('type=strings.updated'), await total('type~=account.')]).toEqual([1, 2])
  for (const query of ['criteria=data=1', 'criteria=type=account.none', 'expand=data']) {
    expect((await merchant.api(`/events?${query}`)).status, query).toBe(400)
  }
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
    const { merchant, deliveries } = await newListener(app)
    const event = await happen(app, merchant)
    app.pass(40 * DAY_MS)
    await pruneEvents(deps)
    expect((await merchant.api(`/events/${event}`)).status).toBe(200)
    await fanOutEvents(deps)
    expect(await deliveries()).toMatchObject([{ event, status: 'WAITING' }])
    await pruneEvents(deps)
    expect((await merchant.api(`/events/${event}`)).status).toBe(200)
    app.pass(8 * DAY_MS + 1)
    await pruneEvents(deps)
    expect((await merchant.api(`/events/${event}`)).status).toBe(404)
  })

  it('a replayed event is kept while its delivery is retried', async () => {
    const { merchant, receiver, notify, replay } = await newListener(app)
    const event = await notify()
    app.pass(30 * DAY_MS - 60_000)
    await replay({ event })
    receiver.answer(503)
    await deliverAll(app)
    app.pass(120_000)
    await pruneEvents(deps)
    receiver.answer(204)
    await deliverAll(app)
    expect(receiver.ids()).toEqual([event, event, event])
    await pruneEvents(deps)
    expect((await merchant.api(`/events/${event}`)).status).toBe(404)
  })
})
