import { describe, expect, it } from 'vitest'
import { afterEachRead } from '../../test/after-each-read.ts'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { findOrCreateActorSession, SYSTEM } from '../actor-sessions/store.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { disableWebhookRow } from './store.ts'
import { happen, newWebhook } from '../../test/webhook-receiver.ts'
import { changeWebhook, rotateSecret } from './manage.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const { merchant } = app
const { api } = merchant

const URL_LIVE = 'https://shop.example/hooks'
const create = (instance_webhook: Record<string, unknown>, by: Merchant = merchant) =>
  by.api('/instance_webhooks', { body: { instance_webhook } })
const change = (id: string, instance_webhook: Record<string, unknown>, by: Merchant = merchant) =>
  by.api(`/instance_webhooks/${id}`, { method: 'PUT', body: { instance_webhook } })
const read = async (id: string) => (await api(`/instance_webhooks/${id}`)).json.instance_webhook

describe('creating a webhook', () => {
  it('returns its secret once', async () => {
    const made = await newWebhook(merchant, URL_LIVE, { events: ['payment_link.*'] })
    const { secret, ...rest } = made
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(rest).toEqual({
      id: expect.stringMatching(/^wh_[0-9]+_[0-9a-z]{16}$/),
      url: URL_LIVE,
      events: ['payment_link.*'],
      enabled: true,
      description: null,
      failing_since: null,
      created_session: expect.stringMatching(/^ses_/),
      updated_session: rest.created_session,
      created: new Date(app.now()).toISOString(),
      updated: new Date(app.now()).toISOString(),
      v: 1,
    })
    expect(await read(made.id)).toEqual(rest)
    const others = [
      await api(`/instance_webhooks/${made.id}`),
      await api('/instance_webhooks'),
      await change(made.id, { description: 'x' }),
      await api(`/instance_webhooks/${made.id}/deliveries`),
    ]
    for (const { text } of others) expect(text).not.toContain('whsec_')
    expect(app.logged()).not.toContain('whsec_')
  })

  it('accepts a description and may create it disabled', async () => {
    const made = await newWebhook(merchant, URL_LIVE, { description: 'Shop', enabled: false })
    expect([made.description, made.enabled]).toEqual(['Shop', false])
  })

  const right = { url: URL_LIVE, events: ['*'] }
  it.each([
    [{ url: URL_LIVE }, 'instance_webhook.events is required'],
    [{ events: ['*'] }, 'instance_webhook.url is required'],
    [{ ...right, events: [] }, 'instance_webhook.events must have at least 1 member'],
    [{ ...right, events: '*' }, 'instance_webhook.events must be an array'],
    [{ ...right, events: [null] }, 'instance_webhook.events.0 must not be null'],
    [{ ...right, events: ['*', 'payment.suces'] }, 'instance_webhook.events has payment.suces'],
    [{ ...right, events: ['pay.*'] }, 'instance_webhook.events has pay.*'],
    [{ ...right, url: null }, 'instance_webhook.url must not be null'],
    [{ ...right, url: 'shop.example' }, 'instance_webhook.url must be an absolute https URL'],
    [{ ...right, url: 'http://shop.example/' }, 'instance_webhook.url must be https'],
    [{ ...right, url: 'https://shop.example:22/' }, 'instance_webhook.url must have one of'],
    [{ ...right, url: 'https://10.0.0.1/' }, 'instance_webhook.url must lead to a public address'],
    [{ ...right, url: 'https://a:b@shop.example/' }, 'instance_webhook.url may not carry a user'],
    [{ ...right, enabled: 'true' }, 'instance_webhook.enabled must be true or false'],
    [{ ...right, secret: 'mine' }, 'Unknown field instance_webhook.secret'],
    [{ ...right, failing_since: null }, 'Unknown field instance_webhook.failing_since'],
  ])('refuses %j', async (body, message) => {
    const { status, json } = await create(body)
    expect([status, json.error.type]).toEqual([400, 'INVALID_REQUEST'])
    expect(json.error.message).toContain(message)
  })

  it('is limited to twenty, also for concurrent requests', async () => {
    const other = await app.newMerchant()
    const responses = await Promise.all(
      Array.from({ length: 25 }, () => create({ url: URL_LIVE, events: ['*'] }, other)),
    )
    const refused = responses.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.json.error).toEqual({
      type: 'INVALID_STATE',
      message: 'An instance may have at most 20 webhooks',
    })
    expect((await other.api('/instance_webhooks')).json.meta.total).toBe(20)
  })
})

describe('changing a webhook', () => {
  it('keeps members that are not given', async () => {
    const made = await newWebhook(merchant, URL_LIVE, { description: 'Shop', events: ['charge.*'] })
    app.pass(1000)
    const { json } = await change(made.id, { url: 'https://shop.example/other' })
    expect(json.instance_webhook).toMatchObject({
      url: 'https://shop.example/other',
      events: ['charge.*'],
      description: 'Shop',
      enabled: true,
      updated: new Date(app.now()).toISOString(),
      v: 2,
    })
    const cleared = await change(made.id, { description: null })
    expect(cleared.json.instance_webhook).toMatchObject({ description: null, v: 3 })
  })

  it('increments the version for a real change only', async () => {
    const { secret: _once, ...made } = await newWebhook(merchant, URL_LIVE)
    app.pass(1000)
    for (const same of [{}, { url: URL_LIVE }, { events: ['*'], enabled: true }]) {
      expect((await change(made.id, same)).json.instance_webhook).toEqual(made)
    }
  })

  it('records the session of the last change', async () => {
    const made = await newWebhook(merchant, URL_LIVE)
    const { json } = await api(`/instance_webhooks/${made.id}`, {
      method: 'PUT',
      headers: { 'user-agent': 'Another program' },
      body: { instance_webhook: { enabled: false } },
    })
    expect(json.instance_webhook.created_session).toBe(made.created_session)
    expect(json.instance_webhook.updated_session).not.toBe(made.created_session)
  })

  it.each([
    [{ url: null }, 'instance_webhook.url must not be null'],
    [{ events: null }, 'instance_webhook.events must not be null'],
    [{ enabled: null }, 'instance_webhook.enabled must not be null'],
    [{ url: 'https://127.0.0.1:22/', enabled: true, v: 1 }, 'Unknown field instance_webhook.v'],
    [{ url: 'https://[fd00::1]/' }, 'instance_webhook.url must lead to a public address'],
    [{ events: ['nothing.*'] }, 'instance_webhook.events has nothing.*'],
  ])('refuses %j', async (body, message) => {
    const other = await app.newMerchant()
    const { id } = await newWebhook(other, URL_LIVE)
    const { status, json } = await change(id, body, other)
    expect(status).toBe(400)
    expect(json.error.message).toContain(message)
  })

  it('loses none of several concurrent changes', async () => {
    const made = await newWebhook(merchant, URL_LIVE)
    const changes = [{ description: 'a' }, { enabled: false }, { events: ['refund.*'] }]
    await Promise.all(changes.map((one) => change(made.id, one)))
    expect(await read(made.id)).toMatchObject({
      description: 'a',
      enabled: false,
      events: ['refund.*'],
      v: 4,
    })
  })
})

describe('a deleted webhook', () => {
  it('is gone with its deliveries; its events stay', async () => {
    const other = await app.newMerchant()
    const { id } = await newWebhook(other, URL_LIVE)
    await happen(app, other)
    const { status } = await other.api(`/instance_webhooks/${id}`, { method: 'DELETE' })
    expect(status).toBe(204)
    expect((await other.api(`/instance_webhooks/${id}`)).status).toBe(404)
    expect((await other.api(`/instance_webhooks/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await other.api('/events')).json.meta.total).toBe(1)
  })

  /** Returns the database, where `act` runs after the webhook was read. */
  const afterFirstRead = (act: () => Promise<unknown>) => {
    let reads = 0
    return afterEachRead(deps.db, async () => {
      reads += 1
      if (reads === 1) await act()
    })
  }

  it('is not enabled by a concurrent change', async () => {
    const other = await app.newMerchant()
    const { id } = await newWebhook(other, URL_LIVE)
    const db = afterFirstRead(() => disableWebhookRow(deps.db, other.instance.id, id))
    const actorSession = await findOrCreateActorSession(deps, other.instance.id, SYSTEM)
    const request = { change: { description: 'a' }, actorSession, ifMatch: undefined }
    const changed = await changeWebhook({ ...deps, db }, other.instance, id, request)
    expect(changed).toMatchObject({ enabled: 0, description: 'a' })
  })

  it('gets no new secret', async () => {
    const other = await app.newMerchant()
    const { id } = await newWebhook(other, URL_LIVE)
    const db = afterFirstRead(() => deleteWebhook(deps, other.instance.id, id, SYSTEM))
    await expect(rotateSecret({ ...deps, db }, other.instance, id, 'acs_1_a')).rejects.toThrow(
      'Webhook not found',
    )
  })
})

it('a list of webhooks is filtered and expands its sessions, and holds no secret', async () => {
  const other = await app.newMerchant()
  for (const [n, enabled] of [true, false, true].entries()) {
    await newWebhook(other, `${URL_LIVE}/${n}`, { enabled })
  }
  const total = async (criteria: string) =>
    (await other.api(`/instance_webhooks?criteria=${criteria}`)).json.meta.total
  expect([await total('enabled=Y'), await total('url~=hooks/1')]).toEqual([2, 1])
  const { json } = await other.api('/instance_webhooks?expand=created_session')
  expect(json.instance_webhooks[0].created_session).toMatchObject({ type: 'API_KEY' })
  expect((await other.api('/instance_webhooks?criteria=secret=1')).status).toBe(400)
})

it.each([
  ['GET', '', undefined],
  ['PUT', '', { instance_webhook: { enabled: false } }],
  ['DELETE', '', undefined],
  ['POST', '/rotate', {}],
  ['POST', '/replay', { replay: { type: '*' } }],
  ['GET', '/deliveries', undefined],
])('an unknown webhook is not found: %s %s', async (method, path, body) => {
  for (const id of ['wh_1_a', 'nonsense', '%00']) {
    const { status, json } = await api(`/instance_webhooks/${id}${path}`, { method, body })
    expect([status, json.error]).toEqual([404, { type: 'NOT_FOUND', message: 'Webhook not found' }])
  }
})
