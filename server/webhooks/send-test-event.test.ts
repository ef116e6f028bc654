import { afterEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import {
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

afterEach(() => forgetWebhooks(app))

describe('a test event', () => {
  it('is sent to one webhook, signed, whatever its types are', async () => {
    const { merchant, receiver, webhook } = await newListener(app, { events: ['refund.*'] })
    const other = await startReceiver()
    await newWebhook(merchant, other.url, { events: ['*'] })
    const path = `/instance_webhooks/${webhook.id}/test`
    const { status, json } = await merchant.api(path, { method: 'POST' })
    expect([status, json.delivery]).toEqual([
      200,
      expect.objectContaining({
        type: 'webhook.test',
        instance_webhook: webhook.id,
        status: 'WAITING',
        attempts: 0,
      }),
    ])
    await deliverAll(app)
    expect([receiver.ids(), other.ids()]).toEqual([[json.delivery.event], []])
    const { event } = verified(app, webhook.secret, receiver.last()) as {
      event: { type: string; data: { instance_webhook: object } }
    }
    expect(event.type).toBe('webhook.test')
    expect(event.data.instance_webhook).not.toHaveProperty('secret')
    const { deliveries } = (await merchant.api(`/deliveries?criteria=id=${json.delivery.id}`)).json
    expect(deliveries).toMatchObject([{ status: 'DELIVERED', response_status: 204 }])
  })

  it('is no part of a replay, unless it is named', async () => {
    const { merchant, receiver, webhook } = await newListener(app, { events: ['refund.*'] })
    const path = `/instance_webhooks/${webhook.id}`
    const { delivery } = (await merchant.api(`${path}/test`, { method: 'POST' })).json
    await deliverAll(app)
    const replay = async (of: object) =>
      (await merchant.api(`${path}/replay`, { body: { replay: of } })).json.replay.deliveries
    expect(await replay({ from: '2000-01-01T00:00:00Z' })).toBe(0)
    expect(await replay({ event: delivery.event })).toBe(1)
    await deliverAll(app)
    expect(receiver.ids()).toEqual([delivery.event, delivery.event])
  })

  it('needs a webhook that is enabled and of the instance', async () => {
    const { merchant, webhook } = await newListener(app)
    const path = `/instance_webhooks/${webhook.id}`
    const other = await app.newMerchant()
    expect((await other.api(`${path}/test`, { method: 'POST' })).status).toBe(404)
    const off = { instance_webhook: { enabled: false } }
    await merchant.api(path, { method: 'PUT', body: off })
    const { status, json } = await merchant.api(`${path}/test`, { method: 'POST' })
    expect([status, json.error.message]).toEqual([400, 'The webhook is disabled; enable it first'])
  })
})

describe('the list of all deliveries', () => {
  it('has those of every webhook, by webhook, event, status and response', async () => {
    const { merchant, webhook, receiver } = await newListener(app, { events: ['*'] })
    receiver.answer(500)
    const second = await startReceiver()
    const other = await newWebhook(merchant, second.url, { events: ['*'] })
    const event = await happen(app, merchant)
    await deliverAll(app)
    const list = async (criteria: string) =>
      (await merchant.api(`/deliveries?criteria=${criteria}`)).json.deliveries.map(
        ({ instance_webhook }: { instance_webhook: string }) => instance_webhook,
      )
    expect(new Set(await list(`event=${event}`))).toEqual(new Set([webhook.id, other.id]))
    expect(await list(`event=${event},instance_webhook=${other.id}`)).toEqual([other.id])
    expect(await list(`event=${event},status=WAITING`)).toEqual([webhook.id])
    expect(await list(`event=${event},response_status>=500`)).toEqual([webhook.id])
    expect(await list(`event=${event},response_status=204,type=account.created`)).toEqual([
      other.id,
    ])
  })
})
