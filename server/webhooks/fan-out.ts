import type { Deps } from '../deps.ts'
import { inTransaction } from '../db/tx.ts'
import { listInstancesToFanOut, takeEventsToFanOut } from '../events/store.ts'
import { queueDeliveries } from './deliveries.ts'
import type { Pair } from './deliveries.ts'
import { wants } from './patterns.ts'
import { patternsOf } from './record.ts'
import { holdEnabledWebhooks } from './store.ts'

/** Each event may go to twenty webhooks, and others wait while that is written. */
const BATCH = 25
/** Instances at once; each takes a connection. */
const AT_ONCE = 4

type Needs = Pick<Deps, 'db' | 'now' | 'failpoint'>

/**
 * Hands every event that waits for it to the webhooks that want it, in short transactions: a few
 * events of each instance in turn, oldest first, so that no instance waits until another one's are
 * all handed out. Several processes may do this at the same time: each event is taken by one of
 * them. Returns how many events were handed out.
 */
export async function fanOutEvents(deps: Needs): Promise<number> {
  let handed = 0
  for (;;) {
    // A look costs little, and a transaction that finds nothing would be one of four a second.
    const waiting = await listInstancesToFanOut(deps.db)
    if (waiting.length === 0) return handed
    for (let start = 0; start < waiting.length; start += AT_ONCE) {
      const turn = waiting.slice(start, start + AT_ONCE)
      const counts = await Promise.all(turn.map((instanceId) => fanOutSome(deps, instanceId)))
      handed += counts.reduce((sum, count) => sum + count, 0)
    }
  }
}

function fanOutSome(deps: Needs, instanceId: string): Promise<number> {
  return inTransaction(deps.db, async (tx) => {
    const events = await takeEventsToFanOut(tx, instanceId, BATCH)
    const webhooks = await holdEnabledWebhooks(tx, instanceId)
    const pairs = events.flatMap((event) =>
      webhooks
        .filter((webhook) => wants(patternsOf(webhook), event.type))
        .map((webhook): Pair => ({
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
