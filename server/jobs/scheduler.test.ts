import { expect, it, onTestFinished } from 'vitest'
import { fileInsights } from '../insights/file.ts'
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

it('files the records from before an upgrade in steps, which a shutdown does not wait for', async () => {
  const { db } = deps
  const merchant = await app.newMerchant()
  for (let n = 0; n < 101; n += 1) {
    await merchant.api('/payment_links', {
      body: { payment_link: { options: { amount: '1.00', currency: 'EUR', name: 'Marigold' } } },
    })
  }
  await fileInsights(deps)
  await db.deleteFrom('search_words').execute()
  await db
    .insertInto('insight_backfills')
    .values({ source: 'payment_links', before_id: '~' })
    .execute()
  const filed = async () =>
    (
      await db
        .selectFrom('search_words')
        .select('record_id')
        .where('word', '=', 'marigold')
        .execute()
    ).length
  await startJobs(deps)()
  expect(await filed()).toBeLessThanOrEqual(100)
  expect(await db.selectFrom('insight_backfills').select('source').execute()).toHaveLength(1)
  onTestFinished(startJobs(deps))
  await expect.poll(filed, { timeout: 10_000 }).toBe(101)
})
