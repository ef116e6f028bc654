import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { getLinkWithHistory } from './queries.ts'
import { listUnrecordedExpiries, markExpiryRecorded } from './store.ts'
import { recordLinkEvent } from './events.ts'

const BATCH = 100

/**
 * Records `payment_link.expired` for links whose expiry has passed, once for each expiry. Skips links
 * that were paid or archived before. A link with a pending payment waits until that payment fails.
 * With `instanceId`, only for that instance, whose test clock was moved. Safe to run in several
 * processes at once. Returns the number of links found.
 */
export async function recordExpiries(deps: Deps, instanceId?: string): Promise<number> {
  const now = deps.now()
  for (let expired = 0; ;) {
    const batch = await listUnrecordedExpiries(deps.db, formatInstant(now), BATCH, instanceId)
    // One transaction each, so that a failure affects one link only.
    await mapConcurrently(batch, (link) => recordExpiry(deps, link, now))
    expired += batch.length
    if (batch.length < BATCH) return expired
  }
}

async function recordExpiry(
  deps: Deps,
  { id, instance_id: instanceId }: { id: string; instance_id: string },
  now: number,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if (!(await markExpiryRecorded(tx, id, formatInstant(now)))) return
    const link = await getLinkWithHistory(tx, instanceId, id)
    await recordLinkEvent({ tx, baseUrl: deps.config.baseUrl, now }, 'payment_link.expired', link)
  })
}
