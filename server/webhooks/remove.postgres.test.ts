import { expect, it } from 'vitest'
import { inTransaction } from '../db/transaction.ts'
import { startTestApp } from '../../test/app.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import { type NewDelivery, queueDeliveries } from './deliveries.ts'
import { removeWebhook } from './remove.ts'
import { lockEnabledWebhooks } from './store.ts'
import { happen, newWebhook } from '../../test/webhook-receiver.ts'

const app = await startTestApp()
const { merchant } = app
const { deps } = app.checkstand

it('a webhook that is deleted while an event is handed out is given it, and then gone', async () => {
  const instance_id = merchant.instance.id
  const event_id = await happen(app, merchant)
  await newWebhook(merchant, 'https://shop.example/hooks')
  const { ending } = await inTransaction(deps.db, async (tx) => {
    const [webhook] = await lockEnabledWebhooks(tx, instance_id)
    const endpoint_id = webhook?.id as string
    const removing = await untilBlocked(deps.db, () =>
      removeWebhook(deps, instance_id, endpoint_id),
    )
    await queueDeliveries(tx, [{ instance_id, endpoint_id, event_id }], {
      now: app.now(),
      again: false,
    })
    return removing
  })
  await ending
  expect(await deps.db.selectFrom('deliveries').select('id').execute()).toEqual([])
  expect((await merchant.api('/instance_webhooks')).json.instance_webhooks).toEqual([])
})

it('one is deleted while a replay begins its deliveries again, in whatever order', async () => {
  const instance_id = merchant.instance.id
  const { id: endpoint_id } = await newWebhook(merchant, 'https://shop.example/hooks')
  const pairs: NewDelivery[] = []
  for (let i = 0; i < 50; i += 1) {
    pairs.push({ instance_id, endpoint_id, event_id: await happen(app, merchant) })
  }
  const as = { now: app.now(), again: true }
  await inTransaction(deps.db, (tx) => queueDeliveries(tx, pairs, as))
  const removals: Promise<void>[] = []
  const replay = deps.db.transaction().execute(async (tx) => {
    await queueDeliveries(tx, pairs.slice(25, 26), as)
    // It waits for that one, and has others already.
    removals.push(
      (await untilBlocked(deps.db, () => removeWebhook(deps, instance_id, endpoint_id))).ending,
    )
    await queueDeliveries(tx, pairs, as)
  })
  // One of the two has to give way, and a replay would begin again.
  await replay.catch(() => {})
  await Promise.all(removals)
  expect(await deps.db.selectFrom('deliveries').select('id').execute()).toEqual([])
})
