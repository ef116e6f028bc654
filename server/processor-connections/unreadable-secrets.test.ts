import { expect, it } from 'vitest'
import { newLink } from '../../test/payer-client.ts'
import { insertStripeConnection } from '../../test/stripe-fake/store-connection.ts'
import { startStripeApp } from '../../test/stripe-fake/stripe-app.ts'
import { logUnreadableSecrets } from './unreadable-secrets.ts'

const { app, fake, deps, shop } = await startStripeApp()

it('keys of another encryption key stop their instance only, and the start says why', async () => {
  const merchant = await app.newMerchant()
  const other = [Buffer.alloc(32, 9)] as const
  const row = {
    instance_id: merchant.instance.id,
    keys: [...other] as [Buffer],
    created: app.now(),
  }
  const id = await insertStripeConnection(deps.db, row, fake, {})
  expect(await deps.processors.ofInstance(merchant.instance)).toEqual([])
  const { status, json } = await merchant.api('/payment_links', { body: { payment_link: {} } })
  expect([status, json.error.type]).toEqual([400, 'INVALID_STATE'])
  const notice = await app.call(`/processors/stripe/webhooks/${id}`, { method: 'POST', raw: '{}' })
  expect(notice.status).toBe(503)
  await logUnreadableSecrets(deps)
  expect(app.logged()).toContain(`The secret_key of ${id} `)
  // Other instances work, with Stripe and with the sandbox.
  expect((await newLink(shop.merchant)).id).toMatch(/./)
  expect((await newLink(await app.newMerchant())).id).toMatch(/./)
})
