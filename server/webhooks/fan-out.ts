import type { Deps } from '../deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { listInstancesToFanOut, takeEventsToFanOut } from '../events/store.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { type NewDelivery, queueDeliveries } from './deliveries.ts'
import { matchesEvent } from './patterns.ts'
import { patternsOf } from './serialize.ts'
import { lockEnabledWebhooks } from './store.ts'

/** Each event may go to twenty webhooks, and others wait while that is written. */
const BATCH = 25

type Needs = Pick<Deps, 'db' | 'now' | 'failpoint'>

/**
 * Hands every event that waits for it to the webhooks that want it, in short transactions: a few
 * events of each instance in turn, oldest first, so that no instance waits until another one's are
 * all handed out. Several processes may do this at the same time: each event is taken by one of
 * them, and none waits for what another one has taken. Returns how many events were handed out.
 * Throws the first failure, once the events of all other instances are handed out.
 */
export async function fanOutEvents(deps: Needs): Promise<number> {
  for (let handed = 0; ;) {
    const failures: unknown[] = []
    const tryOne = (instanceId: string) =>
      fanOutSome(deps, instanceId).catch((error: unknown) => {
        failures.push(error)
        return 0
      })
    const counts = await mapConcurrently(await listInstancesToFanOut(deps.db), tryOne)
    const more = counts.reduce((sum, count) => sum + count, 0)
    handed += more
    if (more > 0) continue
    // What still waits has failed, or another process is handing it out.
    if (failures.length > 0) throw failures[0]
    return handed
  }
}

function fanOutSome(deps: Needs, instanceId: string): Promise<number> {
  return inTransaction(deps.db, async (tx) => {
    const events = await takeEventsToFanOut(tx, instanceId, BATCH)
    const webhooks = await lockEnabledWebhooks(tx, instanceId)
    const pairs = events.flatMap((event) =>
      webhooks
        .filter((webhook) => matchesEvent(patternsOf(webhook), event.type))
        .map((webhook): NewDelivery => ({
          instance_id: instanceId,
          endpoint_id: webhook.id,
          event_id: event.id,
        })),
    )
    await queueDeliveries(tx, pairs, { now: deps.now(), again: false })
    if (pairs.length > 0) deps.failpoint('events-handed-out')
    return events.length
  })
}
