import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { inTransaction } from '../db/tx.ts'
import { startTestApp } from '../testing/app.ts'
import { DAY_MS } from '../testing/merchant.ts'
import { queueDeliveries } from '../webhooks/deliveries.ts'
import { happen, newWebhook } from '../webhooks/test-receiver.ts'
import { pruneEvents } from './prune.ts'

const app = await startTestApp()
const { deps } = app.checkstand

/** Whether a statement waits for a row that somebody else has. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(deps.db)
  return rows.length > 0
}

it('an old event that is asked for again at that moment stays, and is sent', async () => {
  const { merchant } = app
  const event_id = await happen(app, merchant)
  app.pass(31 * DAY_MS)
  const { id: endpoint_id } = await newWebhook(merchant, 'https://shop.example/hooks')
  const pair = { instance_id: merchant.instance.id, endpoint_id, event_id }
  const { pruning } = await inTransaction(deps.db, async (tx) => {
    await queueDeliveries(tx, [pair], { now: app.now(), again: true })
    let isDone = false
    const pruned = pruneEvents(deps).then(() => {
      isDone = true
    })
    await expect.poll(async () => isDone || isWaiting(), { timeout: 20_000 }).toBe(true)
    return { pruning: pruned }
  })
  await pruning
  const queued = deps.db.selectFrom('deliveries').select('status').where('event_id', '=', event_id)
  expect(await queued.execute()).toEqual([{ status: 'WAITING' }])
})
