import { expect, it, vi } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { recordedEvents } from '../../test/payments-client.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { startJobs } from './scheduler.ts'

const app = await startTestApp()
const { deps } = app.checkstand

it('tells what the clock has done, and forgets old keys, without being asked', async () => {
  const expires = new Date(app.now() + 1000).toISOString()
  const link = await newLink(app.merchant, { amount: '1.00' }, { expires })
  await openPayerClient(app, link.id)
  await app.merchant.api('/accounts', {
    body: { account: { crm_key: 'a' } },
    headers: { 'idempotency-key': 'old' },
  })
  const keys = () => deps.db.selectFrom('idempotency_keys').select('key').execute()
  expect(await keys()).toHaveLength(1)
  app.pass(2 * 86_400_000)
  const stop = startJobs(deps)
  try {
    await vi.waitFor(
      async () => {
        const types = (await recordedEvents(app)).map(({ type }) => type)
        expect(types).toContain('payment_link.expired')
        expect(types).toContain('checkout.expired')
        expect(await keys()).toEqual([])
      },
      { timeout: 10_000 },
    )
  } finally {
    await stop()
  }
})
