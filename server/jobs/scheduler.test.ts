import { expect, it, onTestFinished } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { recordedEvents } from '../../test/payments-client.ts'
import { openNewLink } from '../../test/payer-client.ts'
import { startJobs } from './scheduler.ts'

const app = await startTestApp()
const { deps } = app.checkstand

it('records expiries and prunes idempotency keys by itself', async () => {
  const expires = new Date(app.now() + 1000).toISOString()
  await openNewLink(app, { amount: '1.00' }, { expires })
  await app.merchant.api('/accounts', {
    body: { account: { crm_key: 'a' } },
    headers: { 'idempotency-key': 'old' },
  })
  const keys = () => deps.db.selectFrom('idempotency_keys').select('key').execute()
  expect(await keys()).toHaveLength(1)
  app.pass(2 * 86_400_000)
  onTestFinished(startJobs(deps))
  const recorded = async () => (await recordedEvents(app)).map(({ type }) => type)
  const expired = expect.arrayContaining(['payment_link.expired', 'checkout.expired'])
  await expect.poll(recorded, { timeout: 10_000 }).toEqual(expired)
  await expect.poll(keys, { timeout: 10_000 }).toEqual([])
})
