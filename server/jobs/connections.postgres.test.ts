import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { closeExpiredSessions } from '../checkouts/close-sessions.ts'
import { MAX_CONCURRENT } from '../bounded-concurrency.ts'
import { recordExpiries } from '../payment-links/expire.ts'
import { startTestApp } from '../../test/app.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { countLockWaits } from '../../test/lock-waits.ts'
import { createDeliverer } from '../webhooks/deliver.ts'
import { fanOutEvents } from '../webhooks/fan-out.ts'
import { LOCAL_RECEIVERS, happen, newWebhook, startReceiver } from '../../test/webhook-receiver.ts'

const app = await startTestApp(LOCAL_RECEIVERS)
const { deps } = app.checkstand
const TWELVE = Array.from({ length: 12 })

async function dueWebhooks() {
  const { url } = await startReceiver()
  for (const _ of TWELVE) await newWebhook(app.merchant, url)
  await happen(app, app.merchant)
  await fanOutEvents(deps)
  const deliverer = createDeliverer(deps)
  return async () => {
    const begun = await deliverer.start()
    await deliverer.drain()
    return begun
  }
}

async function expiredLinks() {
  const expires = new Date(app.now() + 1000).toISOString()
  for (const _ of TWELVE) await newLink(app.merchant, { amount: '1.00' }, { expires })
  app.pass(1000)
  return () => recordExpiries(deps)
}

async function runOutSessions() {
  const { id } = await newLink(app.merchant)
  for (const _ of TWELVE) await openPayerClient(app, id)
  app.pass(86_400_000)
  return () => closeExpiredSessions(deps)
}

it.each([
  ['webhooks that are due', 'deliveries', dueWebhooks],
  ['links that expire', 'payment_links', expiredLinks],
  ['sessions that run out', 'checkouts', runOutSessions],
])('%s leave connections to the requests, however many they are', async (_, table, prepare) => {
  const work = await prepare()
  const { working } = await deps.db.transaction().execute(async (tx) => {
    // None of them is written before this ends.
    await sql`lock table ${sql.table(table)} in exclusive mode`.execute(tx)
    const writing = async () => {
      // An idle transaction would be ended.
      await sql`select 1`.execute(tx)
      return countLockWaits(deps.db)
    }
    const working = work()
    await expect.poll(writing, { timeout: 20_000 }).toBe(MAX_CONCURRENT)
    expect((await app.merchant.api('/accounts')).status).toBe(200)
    expect(await writing()).toBe(MAX_CONCURRENT)
    return { working }
  })
  expect(await working).toBe(TWELVE.length)
})
