import type { Deps } from '../deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { listInstancesToFanOut, takeEventsToFanOut } from '../events/store.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { type NewDelivery, queueDeliveries } from './deliveries.ts'
import { matchesEvent } from './patterns.ts'
import { patternsOf } from './serialize.ts'
import { lockEnabledWebhooks } from './store.ts'

/** Each event may have twenty deliveries, which are inserted in one transaction. */
const BATCH = 25

type FanOutDeps = Pick<Deps, 'db' | 'now' | 'failpoint'>

/**
 * Creates the deliveries of all new events, oldest first, in short transactions that serve the
 * instances in turn. Several processes may run at the same time; each event is taken once. Returns
 * the number of events. Throws the first failure after the events of all other instances.
 */
export async function fanOutEvents(deps: FanOutDeps): Promise<number> {
  for (let total = 0; ;) {
    const failures: unknown[] = []
    const tryOne = (instanceId: string) =>
      fanOutBatch(deps, instanceId).catch((error: unknown) => {
        failures.push(error)
        return 0
      })
    const counts = await mapConcurrently(await listInstancesToFanOut(deps.db), tryOne)
    const more = counts.reduce((sum, count) => sum + count, 0)
    total += more
    if (more > 0) continue
    // The remaining events failed or were taken by another process.
    if (failures.length > 0) throw failures[0]
    return total
  }
}

function fanOutBatch(deps: FanOutDeps, instanceId: string): Promise<number> {
  return inTransaction(deps.db, async (tx) => {
    const events = await takeEventsToFanOut(tx, instanceId, BATCH)
    const webhooks = await lockEnabledWebhooks(tx, instanceId)
    const deliveries = events.flatMap((event) =>
      webhooks
        .filter((webhook) => matchesEvent(patternsOf(webhook), event.type))
        .map((webhook): NewDelivery => ({
          instance_id: instanceId,
          endpoint_id: webhook.id,
          event_id: event.id,
        })),
    )
    await queueDeliveries(tx, deliveries, { now: deps.now(), resend: false })
    if (deliveries.length > 0) deps.failpoint('events-handed-out')
    return events.length
  })
}
