import { expect, it, onTestFinished } from 'vitest'
import { pruneEvents } from '../events/prune.ts'
import { pruneIdempotencyKeys } from '../http/idempotency-store.ts'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import {
  LOCAL_RECEIVERS,
  newWebhook,
  startReceiver,
  verified,
  deliverAll,
} from '../../test/webhook-receiver.ts'
import { startJobs } from './scheduler.ts'
import { moveClock } from '../../test/test-clock-driver.ts'
import { runTestClocks } from './test-clocks.ts'

/** What does not follow a test clock, since it protects the server or is agreed with others. */

const app = await startTestApp({ ...LOCAL_RECEIVERS, API_RATE: '60' })
const { deps } = app.checkstand
const REAL = '2030-05-01T12:00:00.000Z'

async function newReceivingMerchant() {
  const [merchant, receiver] = [await app.newMerchant(), await startReceiver()]
  return { merchant, receiver, webhook: await newWebhook(merchant, receiver.url) }
}
const newAccount = ({ api }: Merchant, crm_key = 'a') =>
  api('/accounts', { body: { account: { crm_key } } })

it('webhooks are signed and sent at the real time, and carry the time of the instance', async () => {
  const { merchant, receiver, webhook } = await newReceivingMerchant()
  await moveClock(app, { advance: 'P1Y' }, merchant)
  await newAccount(merchant)
  await deliverAll(app)
  const [received] = receiver.received
  const { event } = verified(app, webhook.secret, received!) as { event: { created: string } }
  expect(event.created).toBe('2031-05-01T12:00:00.000Z')
  const { json } = await merchant.api(`/instance_webhooks/${webhook.id}/deliveries`)
  expect(json.deliveries).toMatchObject([{ created: REAL, delivered: REAL }])
})

it('replayed events are sent at once', async () => {
  const { merchant, receiver, webhook } = await newReceivingMerchant()
  await moveClock(app, { advance: 'P1Y' }, merchant)
  await newAccount(merchant)
  await deliverAll(app)
  const body = { replay: { type: '*' } }
  expect((await merchant.api(`/instance_webhooks/${webhook.id}/replay`, { body })).status).toBe(200)
  await deliverAll(app)
  expect(receiver.received).toHaveLength(2)
})

it('the previous secret of a webhook signs for a day of real time', async () => {
  const merchant = await app.newMerchant()
  const webhook = await newWebhook(merchant, 'https://shop.example/hooks')
  await moveClock(app, { advance: 'P1Y' }, merchant)
  await merchant.api(`/instance_webhooks/${webhook.id}/rotate`, { body: {} })
  const row = await deps.db
    .selectFrom('webhook_endpoints')
    .select('previous_until')
    .where('id', '=', webhook.id)
    .executeTakeFirstOrThrow()
  expect(row.previous_until).toBe('2030-05-02T12:00:00.000Z')
})

it('an idempotency key expires by the real clock', async () => {
  const merchant = await app.newMerchant()
  const body = { account: { crm_key: 'once' } }
  const headers = { 'idempotency-key': 'account' }
  const first = await merchant.api('/accounts', { body, headers })
  await moveClock(app, { advance: 'P1Y' }, merchant)
  await pruneIdempotencyKeys({ db: deps.db, now: deps.now })
  const again = await merchant.api('/accounts', { body, headers })
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
})

it('requests are limited by the real clock', async () => {
  const merchant = await app.newMerchant()
  const moved = await merchant.api('/sandbox/clock', { body: { clock: { advance: 'P1Y' } } })
  expect(moved.status).toBe(200)
  await runTestClocks(deps)
  const read = async () => (await merchant.api('/sandbox/clock')).status
  for (let n = 0; n < 70; n += 1) await read()
  expect(await read()).toBe(429)
  app.pass(60_000)
  expect(await read()).toBe(200)
})

it('declines of a link are counted by the real clock', async () => {
  const merchant = await app.newMerchant()
  const link = await newLink(merchant)
  const decline = async () =>
    (await (await openPayerClient(app, link.id)).payByCard(CARDS.decline)).status
  for (let n = 0; n < 5; n += 1) expect(await decline()).toBe(200)
  await moveClock(app, { advance: 'P1M' }, merchant)
  expect(await decline()).toBe(429)
})

it('events are kept for thirty days of real time', async () => {
  const merchant = await app.newMerchant()
  await newAccount(merchant)
  await moveClock(app, { advance: 'P1Y' }, merchant)
  await newAccount(merchant, 'b')
  await pruneEvents(deps)
  expect((await merchant.api('/events')).json.events).toHaveLength(2)
})

it('a processor call in progress keeps its deadline', async () => {
  const merchant = await app.newMerchant()
  const { id } = await openPaymentsClient(app, merchant).pay()
  const attempts = () =>
    deps.db
      .selectFrom('attempts')
      .select(['next_check', 'state', 'checks'])
      .where('payment_id', '=', id)
  // As its row is while the call runs.
  const next_check = new Date(app.now() + 20_000).toISOString()
  await deps.db
    .updateTable('attempts')
    .set({ state: 'SENT', next_check })
    .where('payment_id', '=', id)
    .execute()
  await moveClock(app, { advance: 'P1D' }, merchant)
  await runTestClocks(deps)
  expect(await attempts().execute()).toEqual([
    { state: 'SENT', checks: 0, next_check: '2030-05-02T12:01:20.000Z' },
  ])
  expect(next_check).toBe('2030-05-01T12:01:20.000Z')
  app.pass(20_000)
  await runTestClocks(deps)
  expect(await attempts().execute()).toMatchObject([{ state: 'DONE' }])
})

it('a job that an instance with a moved clock wakes runs by the real clock', async () => {
  const { merchant, receiver, webhook } = await newReceivingMerchant()
  await moveClock(app, { advance: 'P1Y' }, merchant)
  onTestFinished(startJobs(deps))
  // Each commit wakes the jobs from within a request of the moved instance.
  for (let n = 1; n <= 5; n += 1) {
    await newAccount(merchant, `a ${n}`)
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(n)
  }
  const { json } = await merchant.api(`/instance_webhooks/${webhook.id}/deliveries`)
  const times = json.deliveries.map(({ created }: { created: string }) => created)
  expect(times).toEqual(Array.from(times, () => new Date(app.now()).toISOString()))
})

it('a running server advances a clock at once', async () => {
  const merchant = await app.newMerchant()
  onTestFinished(startJobs(deps))
  await merchant.api('/sandbox/clock', { body: { clock: { advance: 'P1M' } } })
  const target = async () => (await merchant.api('/sandbox/clock')).json.clock.target
  await expect.poll(target, { timeout: 20_000 }).toBeNull()
})

it('a webhook that keeps failing is disabled at the time of the instance', async () => {
  const { merchant, receiver, webhook } = await newReceivingMerchant()
  receiver.answer(410)
  await moveClock(app, { advance: 'P1Y' }, merchant)
  await newAccount(merchant)
  await deliverAll(app)
  const { now } = (await merchant.api('/sandbox/clock')).json.clock
  const { json } = await merchant.api(`/instance_webhooks/${webhook.id}`)
  expect(json.instance_webhook).toMatchObject({ enabled: false, updated: now })
  const events = await merchant.api('/events?criteria=type=webhook.disabled')
  expect(events.json.events).toMatchObject([{ created: now }])
})
