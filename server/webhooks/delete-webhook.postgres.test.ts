import { expect, it } from 'vitest'
import { inTransaction } from '../db/transaction.ts'
import { startTestApp } from '../../test/app.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import { SYSTEM } from '../actor-sessions/store.ts'
import { type NewDelivery, queueDeliveries } from './deliveries.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { lockEnabledWebhooks } from './store.ts'
import { happen, newWebhook } from '../../test/webhook-receiver.ts'

const app = await startTestApp()
const { merchant } = app
const { deps } = app.checkstand

it('deletes a webhook and its deliveries while an event is fanned out to it', async () => {
  const instance_id = merchant.instance.id
  const event_id = await happen(app, merchant)
  await newWebhook(merchant, 'https://shop.example/hooks')
  const { ending } = await inTransaction(deps.db, async (tx) => {
    const [webhook] = await lockEnabledWebhooks(tx, instance_id)
    const endpoint_id = webhook?.id as string
    const removing = await untilBlocked(deps.db, () =>
      deleteWebhook(deps, instance_id, endpoint_id, SYSTEM),
    )
    await queueDeliveries(tx, [{ instance_id, endpoint_id, event_id }], {
      now: app.now(),
      resend: false,
    })
    return removing
  })
  await ending
  expect(await deps.db.selectFrom('deliveries').select('id').execute()).toEqual([])
  expect((await merchant.api('/instance_webhooks')).json.instance_webhooks).toEqual([])
})

it('deletes a webhook while a replay locks its deliveries in another order', async () => {
  const instance_id = merchant.instance.id
  const { id: endpoint_id } = await newWebhook(merchant, 'https://shop.example/hooks')
  const pairs: NewDelivery[] = []
  for (let i = 0; i < 50; i += 1) {
    pairs.push({ instance_id, endpoint_id, event_id: await happen(app, merchant) })
  }
  const as = { now: app.now(), resend: true }
  await inTransaction(deps.db, (tx) => queueDeliveries(tx, pairs, as))
  const removals: Promise<void>[] = []
  const replay = deps.db.transaction().execute(async (tx) => {
    await queueDeliveries(tx, pairs.slice(25, 26), as)
    // It waits for that one, and has others already.
    removals.push(
      (await untilBlocked(deps.db, () => deleteWebhook(deps, instance_id, endpoint_id, SYSTEM)))
        .ending,
    )
    await queueDeliveries(tx, pairs, as)
  })
  // One of the two fails, and a replay would be retried.
  await replay.catch(() => {})
  await Promise.all(removals)
  expect(await deps.db.selectFrom('deliveries').select('id').execute()).toEqual([])
})
