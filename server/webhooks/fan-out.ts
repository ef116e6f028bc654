import type { Deps } from '../deps.ts'
import { inTransaction } from '../db/tx.ts'
import { hasEventsToFanOut, takeEventsToFanOut } from '../events/store.ts'
import { queueDeliveries } from './deliveries.ts'
import type { Pair } from './deliveries.ts'
import { wants } from './patterns.ts'
import { patternsOf } from './record.ts'
import { holdEnabledWebhooks } from './store.ts'

/** Each event may go to twenty webhooks, and others wait while that is written. */
const BATCH = 25

/**
 * Hands every event that nobody has handed out yet to the webhooks that want it, oldest first, in
 * short transactions. Several processes may do this at the same time: each event is taken
 * by one of them. Answers how many events were handed out (contract section 16).
 */
export async function fanOutEvents(deps: Pick<Deps, 'db' | 'now' | 'failpoint'>): Promise<number> {
  const { db, now } = deps
  let handed = 0
  // A look costs little, and a transaction that finds nothing would be one of four a second.
  while (await hasEventsToFanOut(db)) {
    handed += await inTransaction(db, async (tx) => {
      const events = await takeEventsToFanOut(tx, BATCH)
      const instanceIds = [...new Set(events.map((event) => event.instance_id))]
      const webhooks = await holdEnabledWebhooks(tx, instanceIds)
      const pairs = events.flatMap((event) =>
        webhooks
          .filter((webhook) => webhook.instance_id === event.instance_id)
          .filter((webhook) => wants(patternsOf(webhook), event.type))
          .map((webhook): Pair => ({
            instance_id: event.instance_id,
            endpoint_id: webhook.id,
            event_id: event.id,
          })),
      )
      await queueDeliveries(tx, pairs, { now: now(), again: false })
      if (pairs.length > 0) deps.failpoint('events-handed-out')
      return events.length
    })
  }
  return handed
}
