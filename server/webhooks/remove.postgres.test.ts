import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { inTransaction } from '../db/tx.ts'
import { startTestApp } from '../testing/app.ts'
import { queueDeliveries } from './deliveries.ts'
import { removeWebhook } from './remove.ts'
import { holdEnabledWebhooks } from './store.ts'
import { happen, newWebhook } from './test-receiver.ts'

const app = await startTestApp()
const { merchant } = app
const { deps } = app.checkstand

/** Whether a statement waits for a row that somebody else has. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(deps.db)
  return rows.length > 0
}

it('a webhook that is deleted while an event is handed out is given it, and then gone', async () => {
  const instance_id = merchant.instance.id
  const event_id = await happen(app, merchant)
  await newWebhook(merchant, 'https://shop.example/hooks')
  const { removing } = await inTransaction(deps.db, async (tx) => {
    const [webhook] = await holdEnabledWebhooks(tx, [instance_id])
    const endpoint_id = webhook?.id as string
    let isDone = false
    const removed = removeWebhook(deps, instance_id, endpoint_id).then(() => {
      isDone = true
    })
    await expect.poll(async () => isDone || isWaiting(), { timeout: 20_000 }).toBe(true)
    await queueDeliveries(tx, [{ instance_id, endpoint_id, event_id }], {
      now: app.now(),
      again: false,
    })
    return { removing: removed }
  })
  await removing
  expect(await deps.db.selectFrom('deliveries').select('id').execute()).toEqual([])
  expect((await merchant.api('/instance_webhooks')).json.instance_webhooks).toEqual([])
})
