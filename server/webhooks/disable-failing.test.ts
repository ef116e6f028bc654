import { afterEach, describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { createGate } from '../../test/payments-client.ts'
import { deliverDue } from './deliver.ts'
import { fanOutEvents } from './fan-out.ts'
import {
  LOCAL_RECEIVERS,
  forgetWebhooks,
  happen,
  newWebhook,
  startReceiver,
} from '../../test/webhook-receiver.ts'

const app = await startTestApp(LOCAL_RECEIVERS)
const { deps } = app.checkstand
afterEach(() => forgetWebhooks(app))
const DAY_MS = 86_400_000

/** Delivers due events, then the events of these deliveries. */
async function deliverAll() {
  for (let round = 0; round < 2; round += 1) {
    await fanOutEvents(deps)
    await deliverDue(deps)
  }
}

const read = async (merchant: Merchant, id: string) =>
  (await merchant.api(`/instance_webhooks/${id}`)).json.instance_webhook

const enable = (merchant: Merchant, id: string, enabled: boolean) =>
  merchant.api(`/instance_webhooks/${id}`, {
    method: 'PUT',
    body: { instance_webhook: { enabled } },
  })

/** A merchant with a receiver that fails, and another one that is to hear of it. */
async function failingMerchant() {
  const merchant = await app.newMerchant()
  const [failing, other] = [await startReceiver(), await startReceiver()]
  failing.answer(500)
  const webhook = await newWebhook(merchant, failing.url, { events: ['account.*', 'webhook.*'] })
  await newWebhook(merchant, other.url, { events: ['webhook.*'] })
  return { merchant, failing, other, webhook }
}

describe('a webhook without a success', () => {
  it('is disabled after five days of failures, with an event', async () => {
    const { merchant, failing, other, webhook } = await failingMerchant()
    await happen(app, merchant)
    await deliverAll()
    const since = new Date(app.now()).toISOString()
    expect(await read(merchant, webhook.id)).toMatchObject({ failing_since: since, v: 1 })
    app.pass(5 * DAY_MS - 1)
    await happen(app, merchant)
    await deliverAll()
    expect(await read(merchant, webhook.id)).toMatchObject({ enabled: true, failing_since: since })
    app.pass(1)
    await happen(app, merchant)
    await deliverAll()
    const disabled = await read(merchant, webhook.id)
    expect(disabled).toMatchObject({
      enabled: false,
      failing_since: since,
      updated: new Date(app.now()).toISOString(),
      v: 2,
    })
    expect(disabled.updated_session).not.toBe(disabled.created_session)
    expect(other.received.map(({ event }) => event)).toMatchObject([
      { type: 'webhook.disabled', data: { instance_webhook: disabled } },
    ])
    expect(other.received[0]?.body).not.toContain('whsec_')
    // It is not sent to, not even that.
    expect(failing.received.every(({ event }) => event.type === 'account.created')).toBe(true)
  })

  it('is not disabled by the number of failures', async () => {
    const { merchant, failing, webhook } = await failingMerchant()
    for (let i = 0; i < 60; i += 1) await happen(app, merchant)
    await deliverAll()
    expect(failing.received.length).toBeGreaterThanOrEqual(60)
    expect((await read(merchant, webhook.id)).enabled).toBe(true)
  })

  it('stays enabled when one attempt succeeds in between', async () => {
    const { merchant, failing, other, webhook } = await failingMerchant()
    await happen(app, merchant)
    await deliverAll()
    app.pass(4 * DAY_MS)
    failing.answer(204)
    await happen(app, merchant)
    await deliverAll()
    expect(await read(merchant, webhook.id)).toMatchObject({ failing_since: null, v: 1 })
    failing.answer(500)
    app.pass(4 * DAY_MS)
    await happen(app, merchant)
    await deliverAll()
    expect((await read(merchant, webhook.id)).enabled).toBe(true)
    expect(other.received).toEqual([])
  })

  it('is disabled once when many attempts fail together', async () => {
    const { merchant, other, webhook } = await failingMerchant()
    await happen(app, merchant)
    await deliverAll()
    app.pass(5 * DAY_MS)
    for (let i = 0; i < 10; i += 1) await happen(app, merchant)
    await fanOutEvents(deps)
    await Promise.all([deliverDue(deps), deliverDue(deps), deliverDue(deps)])
    await deliverAll()
    expect((await read(merchant, webhook.id)).v).toBe(2)
    expect(other.received).toHaveLength(1)
  })
})

describe('a receiver that responds with 410', () => {
  it('has its webhook disabled at once', async () => {
    const { merchant, failing, other, webhook } = await failingMerchant()
    failing.answer(410)
    await happen(app, merchant)
    await deliverAll()
    expect(await read(merchant, webhook.id)).toMatchObject({ enabled: false, v: 2 })
    expect(failing.received).toHaveLength(1)
    expect(other.received).toHaveLength(1)
  })
})

describe('a disabled webhook', () => {
  it('is sent nothing and keeps its waiting deliveries', async () => {
    const { merchant, failing, webhook } = await failingMerchant()
    const before = await happen(app, merchant)
    await deliverAll()
    await enable(merchant, webhook.id, false)
    failing.answer(204)
    const during = await happen(app, merchant)
    app.pass(60_000)
    await deliverAll()
    expect(failing.received).toHaveLength(1)

    const { json } = await enable(merchant, webhook.id, true)
    expect(json.instance_webhook).toMatchObject({ enabled: true, failing_since: null })
    await deliverAll()
    expect(failing.ids()).toEqual([before, before])
    // Events during that time are not sent to it, but can be replayed.
    const replay = { replay: { event: during } }
    await merchant.api(`/instance_webhooks/${webhook.id}/replay`, { body: replay })
    await deliverAll()
    expect(failing.ids()).toEqual([before, before, during])
  })

  it('restarts its five days when it is enabled or its URL changes', async () => {
    const { merchant, failing, webhook } = await failingMerchant()
    await happen(app, merchant)
    await deliverAll()
    app.pass(4 * DAY_MS)
    await merchant.api(`/instance_webhooks/${webhook.id}`, {
      method: 'PUT',
      body: { instance_webhook: { url: `${failing.url}/moved` } },
    })
    expect((await read(merchant, webhook.id)).failing_since).toBeNull()
    app.pass(2 * DAY_MS)
    await deliverAll()
    expect(failing.received.at(-1)?.path).toBe('/hooks/moved')
    expect((await read(merchant, webhook.id)).enabled).toBe(true)
  })
})

describe('a late response from the previous URL of a webhook', () => {
  /** Delays the response of the previous URL, with `status`, until the URL is changed. */
  async function moved(
    status: number,
    before: (merchant: Merchant, id: string) => Promise<unknown>,
  ) {
    const merchant = await app.newMerchant()
    const [former, present] = [await startReceiver(), await startReceiver()]
    const gate = createGate()
    former.answer((response) => {
      void gate.passed.then(() => response.writeHead(status).end())
    })
    const { id } = await newWebhook(merchant, former.url)
    await happen(app, merchant)
    await fanOutEvents(deps)
    const sending = deliverDue(deps)
    await former.until(1)
    const put = { method: 'PUT', body: { instance_webhook: { url: present.url } } }
    expect((await merchant.api(`/instance_webhooks/${id}`, put)).status).toBe(200)
    await before(merchant, id)
    gate.open()
    await sending
    return read(merchant, id)
  }

  it.each([410, 500])('neither disables nor marks it: %d', async (status) => {
    const webhook = await moved(status, async () => {})
    expect(webhook).toMatchObject({ enabled: true, failing_since: null, v: 2 })
  })

  it('does not clear the failures of the current URL', async () => {
    const since = new Date(app.now()).toISOString()
    const webhook = await moved(204, (_merchant, id) =>
      deps.db
        .updateTable('webhook_endpoints')
        .set({ failing_since: since })
        .where('id', '=', id)
        .execute(),
    )
    expect(webhook).toMatchObject({ enabled: true, failing_since: since })
  })
})
