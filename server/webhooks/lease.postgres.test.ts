import { expect, it } from 'vitest'
import { formatInstant } from '../../shared/rules/time.ts'
import { startTestApp } from '../../test/app.ts'
import { leaseDue } from './deliveries.ts'
import { fanOutEvents } from './fan-out.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps

it('gives each delivery to one of several concurrent processes', async () => {
  const { json } = await app.merchant.api('/instance_webhooks', {
    body: { instance_webhook: { url: 'https://shop.example/hook', events: ['account.created'] } },
  })
  const webhook = json.instance_webhook.id as string
  for (let n = 0; n < 5; n += 1) {
    await app.merchant.api('/accounts', { body: { account: { crm_key: `payer ${n}` } } })
  }
  await fanOutEvents(app.checkstand.deps)
  const lease = () =>
    leaseDue(db, webhook, {
      now: formatInstant(app.now()),
      until: formatInstant(app.now() + 30_000),
      limit: 5,
    })
  const leases = [lease(), lease(), lease()]
  const leased = (await Promise.all(leases)).flat()
  expect(leased).toHaveLength(5)
  expect(new Set(leased).size).toBe(5)
})
