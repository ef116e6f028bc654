import { afterEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import {
  LOCAL_RECEIVERS,
  forgetWebhooks,
  happen,
  newWebhook,
  startReceiver,
  deliverAll,
  newListener,
} from '../../test/webhook-receiver.ts'

const app = await startTestApp(LOCAL_RECEIVERS)
const { deps } = app.checkstand
afterEach(() => forgetWebhooks(app))
const DAY_MS = 86_400_000

/** A merchant with a receiver that fails, and another one that is to hear of it. */
async function failingListener() {
  const listener = await newListener(app, { events: ['account.*', 'webhook.*'] })
  listener.receiver.answer(500)
  const other = await startReceiver()
  await newWebhook(listener.merchant, other.url, { events: ['webhook.*'] })
  return { ...listener, failing: listener.receiver, other }
}

describe('a webhook without a success', () => {
  it('is disabled after five days of failures, with an event', async () => {
    const { notify, read, failing, other } = await failingListener()
    await notify()
    const since = new Date(app.now()).toISOString()
    expect(await read()).toMatchObject({ failing_since: since, v: 1 })
    app.pass(5 * DAY_MS - 1)
    await notify()
    expect(await read()).toMatchObject({ enabled: true, failing_since: since })
    app.pass(1)
    await notify()
    const disabled = await read()
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
    const { notify, read, failing } = await failingListener()
    for (let i = 0; i < 60; i += 1) await notify()
    expect(failing.received.length).toBeGreaterThanOrEqual(60)
    expect((await read()).enabled).toBe(true)
  })

  it('stays enabled when one attempt succeeds in between', async () => {
    const { notify, read, failing, other } = await failingListener()
    await notify()
    app.pass(4 * DAY_MS)
    failing.answer(204)
    await notify()
    expect(await read()).toMatchObject({ failing_since: null, v: 1 })
    failing.answer(500)
    app.pass(4 * DAY_MS)
    await notify()
    expect((await read()).enabled).toBe(true)
    expect(other.received).toEqual([])
  })

  it('is disabled once when many attempts fail together', async () => {
    const { merchant, notify, read, other } = await failingListener()
    await notify()
    app.pass(5 * DAY_MS)
    for (let i = 0; i < 10; i += 1) await happen(app, merchant)
    await Promise.all([deliverAll(app), deliverAll(app), deliverAll(app)])
    expect((await read()).v).toBe(2)
    expect(other.received).toHaveLength(1)
  })
})

describe('a receiver that responds with 410', () => {
  it('has its webhook disabled at once', async () => {
    const { notify, read, failing, other } = await failingListener()
    failing.answer(410)
    await notify()
    expect(await read()).toMatchObject({ enabled: false, v: 2 })
    expect(failing.received).toHaveLength(1)
    expect(other.received).toHaveLength(1)
  })
})

describe('a disabled webhook', () => {
  it('is sent nothing and keeps its waiting deliveries', async () => {
    const { notify, change, replay, failing } = await failingListener()
    const before = await notify()
    await change({ enabled: false })
    failing.answer(204)
    app.pass(60_000)
    const during = await notify()
    expect(failing.received).toHaveLength(1)

    const { json } = await change({ enabled: true })
    expect(json.instance_webhook).toMatchObject({ enabled: true, failing_since: null })
    await deliverAll(app)
    expect(failing.ids()).toEqual([before, before])
    // Events during that time are not sent to it, but can be replayed.
    await replay({ event: during })
    await deliverAll(app)
    expect(failing.ids()).toEqual([before, before, during])
  })

  it('restarts its five days when it is enabled or its URL changes', async () => {
    const { notify, read, change, failing } = await failingListener()
    await notify()
    app.pass(4 * DAY_MS)
    await change({ url: `${failing.url}/moved` })
    expect((await read()).failing_since).toBeNull()
    app.pass(2 * DAY_MS)
    await deliverAll(app)
    expect(failing.last().path).toBe('/hooks/moved')
    expect((await read()).enabled).toBe(true)
  })
})

describe('a late response from the previous URL of a webhook', () => {
  /** Delays the response of the previous URL, with `status`, until the URL is changed. */
  async function moved(
    status: number,
    before = (_id: string): Promise<unknown> => Promise.resolve(),
  ) {
    const { merchant, receiver: former, webhook, read, change } = await newListener(app)
    const release = former.hold(status)
    await happen(app, merchant)
    const sending = deliverAll(app)
    await former.until(1)
    expect((await change({ url: (await startReceiver()).url })).status).toBe(200)
    await before(webhook.id)
    release()
    await sending
    return read()
  }

  it.each([410, 500])('neither disables nor marks it: %d', async (status) => {
    const webhook = await moved(status)
    expect(webhook).toMatchObject({ enabled: true, failing_since: null, v: 2 })
  })

  it('does not clear the failures of the current URL', async () => {
    const since = new Date(app.now()).toISOString()
    const webhook = await moved(204, (id) =>
      deps.db
        .updateTable('webhook_endpoints')
        .set({ failing_since: since })
        .where('id', '=', id)
        .execute(),
    )
    expect(webhook).toMatchObject({ enabled: true, failing_since: since })
  })
})
