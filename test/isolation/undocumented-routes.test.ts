import { describe, expect, it } from 'vitest'
import { PASSWORD, locationOf, newBrowser, newPlatform, newUser, signIn } from '../oauth.ts'
import {
  LOCAL_RECEIVERS,
  forgetWebhooks,
  newWebhook,
  startReceiver,
  deliverAll,
} from '../webhook-receiver.ts'
import { basic, startTestApp } from '../app.ts'
import { SECRET, createTarget, watch } from './two-tenants.ts'
import { makeTenant } from './tenant.ts'

/** Ways to another merchant that the OpenAPI document does not name. */

const app = await startTestApp(LOCAL_RECEIVERS)
const { deps } = app.checkstand
const { target } = await createTarget(app)
const { merchant: other, email } = await newUser(app)
const own = await makeTenant(app, other, { secret: 'own', keys: 'own' })
const { leaks, rows } = await watch(app, target, own)
const untouched = await rows()

describe('a user of another merchant', () => {
  it('finds its own instances by their keys, and no others', async () => {
    const headers = { authorization: basic(`${email}:${PASSWORD}`) }
    const ask = (key: string) => app.call(`/c/api/instances/${key}/accounts`, { headers })
    expect((await ask(other.instance.key)).status).toBe(200)
    const [theirs, unknown] = [await ask(target.merchant.instance.key), await ask('nobodys')]
    expect([theirs.status, theirs.text]).toEqual([404, unknown.text])
    expect(theirs.json.error.message).toBe('Instance not found')
  })

  it('can grant its own instances to a platform, and no others', async () => {
    const request = (await newPlatform(app)).request()
    const browser = newBrowser(app)
    await signIn(browser, locationOf(await browser.get(request)), email)
    const page = await browser.get(request)
    expect(leaks(page)).toEqual([])
    for (const instance of [target.merchant.instance.key, target.merchant.instance.id, 'nobodys']) {
      const response = await browser.send(request, page, { decision: 'approve', instance })
      // The page is shown again, as without a choice.
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
      expect(leaks(response)).toEqual([])
    }
    const instance = other.instance.key
    const granted = await browser.send(request, page, { decision: 'approve', instance })
    expect(locationOf(granted)).toContain('code=')
    expect(await rows()).toEqual(untouched)
  })
})

describe('a webhook', () => {
  it('is sent the events of its own merchant alone', async () => {
    // The tenants' webhook addresses do not respond.
    await forgetWebhooks(app)
    const [theirs, ours] = [await startReceiver(), await startReceiver()]
    await newWebhook(target.merchant, theirs.url)
    await newWebhook(other, ours.url)
    const account = (text: string) => ({ body: { account: { crm_key: text, company: text } } })
    await target.merchant.api('/accounts', account(SECRET))
    await other.api('/accounts', account('own'))
    await deliverAll(app)
    expect([theirs.received.length, ours.received.length]).toEqual([1, 1])
    for (const { body, headers } of ours.received) {
      const delivery = { headers: new Headers(headers), text: body, status: 200, json: undefined }
      expect(leaks(delivery)).toEqual([])
    }
    expect(await crossedDeliveries()).toEqual([])
  })

  it('is sent the events of its own merchant alone again', async () => {
    const { id } = await newWebhook(other, 'https://shop.example/hooks')
    const { json } = await other.api('/events?limit=1')
    const replayed = await other.api(`/instance_webhooks/${id}/replay`, {
      body: { replay: { type: '*' } },
    })
    expect(replayed.json.replay.deliveries).toBe(json.meta.total)
    const listed = await other.api(`/instance_webhooks/${id}/deliveries?limit=1000`)
    expect(listed.json.meta.total).toBe(json.meta.total)
    expect(leaks(listed)).toEqual([])
    expect(await crossedDeliveries()).toEqual([])
  })

  /** Deliveries of one instance's events to another's webhook. */
  const crossedDeliveries = () =>
    deps.db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.id', 'deliveries.event_id')
      .innerJoin('webhook_endpoints as webhook', 'webhook.id', 'deliveries.endpoint_id')
      .select('deliveries.id')
      .where((eb) =>
        eb.or([
          eb('deliveries.instance_id', '<>', eb.ref('events.instance_id')),
          eb('deliveries.instance_id', '<>', eb.ref('webhook.instance_id')),
        ]),
      )
      .execute()
})
