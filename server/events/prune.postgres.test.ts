import { expect, it } from 'vitest'
import { inTransaction } from '../db/transaction.ts'
import { startTestApp } from '../../test/app.ts'
import { DAY_MS } from '../../test/payments-client.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import { queueDeliveries } from '../webhooks/deliveries.ts'
import { happen, newWebhook } from '../../test/webhook-receiver.ts'
import { pruneEvents } from './prune.ts'

const app = await startTestApp()
const { deps } = app.checkstand

it('an old event that is asked for again at that moment stays, and is sent', async () => {
  const { merchant } = app
  const event_id = await happen(app, merchant)
  app.pass(31 * DAY_MS)
  const { id: endpoint_id } = await newWebhook(merchant, 'https://shop.example/hooks')
  const pair = { instance_id: merchant.instance.id, endpoint_id, event_id }
  const { ending } = await inTransaction(deps.db, async (tx) => {
    await queueDeliveries(tx, [pair], { now: app.now(), again: true })
    return untilBlocked(deps.db, () => pruneEvents(deps))
  })
  await ending
  const queued = deps.db.selectFrom('deliveries').select('status').where('event_id', '=', event_id)
  expect(await queued.execute()).toEqual([{ status: 'WAITING' }])
})
