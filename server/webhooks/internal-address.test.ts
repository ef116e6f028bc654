import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { fanOutEvents } from './fan-out.ts'
import {
  LOCAL_RECEIVERS,
  happen,
  newWebhook,
  startReceiver,
  deliverAll,
} from '../../test/webhook-receiver.ts'

/** A server behind a proxy on the same machine: it listens on loopback. */
const app = await startTestApp({ HOST: '127.0.0.1' })
const { deps } = app.checkstand

const refused = () => deps.security.counts().get('outbound_refused') ?? 0
const inward = [
  'http://127.0.0.1:5432/',
  'http://localhost:3000/hooks',
  'https://127.0.0.1/',
  'https://[::1]:8443/',
  'https://0.0.0.0/',
  'https://[::]/',
  'https://[::ffff:169.254.169.254]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/',
  'https://100.64.0.1/',
]

it.each(['TEST', 'LIVE'] as const)(
  'a %s webhook to this machine or its network is refused when it is written',
  async (mode) => {
    const merchant = await app.newMerchant({ mode })
    const { id } = await newWebhook(merchant, 'https://shop.example/hooks')
    for (const url of inward) {
      const before = refused()
      const made = await merchant.api('/instance_webhooks', {
        body: { instance_webhook: { url, events: ['*'] } },
      })
      const changed = await merchant.api(`/instance_webhooks/${id}`, {
        method: 'PUT',
        body: { instance_webhook: { url } },
      })
      for (const { status, json } of [made, changed]) {
        expect([url, status, json.error.message]).toEqual([
          url,
          400,
          'instance_webhook.url must lead to a public address',
        ])
      }
      expect(refused() - before).toBe(2)
    }
  },
)

it('a stored webhook to this machine is never called', async () => {
  const [merchant, receiver] = [await app.newMerchant(), await startReceiver()]
  const { id } = await newWebhook(merchant, 'https://shop.example/hooks')
  await deps.db
    .updateTable('webhook_endpoints')
    .set({ url: receiver.url })
    .where('id', '=', id)
    .execute()
  await happen(app, merchant)
  await fanOutEvents(deps)
  const before = refused()
  await deliverAll(app)
  const { json } = await merchant.api(`/instance_webhooks/${id}/deliveries`)
  expect(json.deliveries).toMatchObject([{ status: 'WAITING', error: 'ADDRESS_REFUSED' }])
  expect(receiver.received).toEqual([])
  expect(refused() - before).toBe(1)
})

it('a TEST instance may call this machine where the operator allows it; a LIVE one may not', async () => {
  const allowing = await startTestApp(LOCAL_RECEIVERS)
  const body = { instance_webhook: { url: 'http://localhost:3000/hooks', events: ['*'] } }
  expect((await allowing.merchant.api('/instance_webhooks', { body })).status).toBe(200)
  const live = await allowing.newMerchant({ mode: 'LIVE' })
  const { status, json } = await live.api('/instance_webhooks', { body })
  expect([status, json.error.message]).toEqual([400, 'instance_webhook.url must be https'])
})
