import type { DeliveryRow } from '../db/tables/webhooks.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { invalidState } from '../errors.ts'
import { recordEvent } from '../events/record-event.ts'
import { newId } from '../ids.ts'
import { findDelivery, queueDeliveries } from './deliveries.ts'
import { serializeWebhook } from './serialize.ts'
import { getWebhook, lockWebhook } from './store.ts'

/**
 * Records an event `webhook.test` and queues its delivery to one webhook, whatever the types of its
 * events. Returns the delivery. Throws a 400 ApiError for a disabled webhook.
 */
export async function sendTestEvent(
  deps: Pick<Deps, 'db' | 'now' | 'realNow'>,
  instanceId: string,
  id: string,
): Promise<DeliveryRow & { type: string }> {
  return inTransaction(deps.db, async (tx) => {
    const webhook = await getWebhook(tx, instanceId, id)
    if (webhook.enabled === 0) throw invalidState('The webhook is disabled; enable it first')
    await lockWebhook(tx, instanceId, id)
    const event = newId('evt', deps.now())
    await recordEvent(tx, {
      id: event,
      instanceId,
      type: 'webhook.test',
      data: { instance_webhook: serializeWebhook(webhook) },
      now: deps.now(),
      fanOut: false,
    })
    const delivery = { instance_id: instanceId, endpoint_id: id, event_id: event }
    await queueDeliveries(tx, [delivery], { now: deps.realNow(), resend: false })
    return { ...(await findDelivery(tx, delivery)), type: 'webhook.test' }
  })
}
