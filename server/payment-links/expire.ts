import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { getLinkWithHistory } from './queries.ts'
import { listUnrecordedExpiries, markExpiryRecorded } from './store.ts'
import { recordLinkEvent } from './events.ts'

const BATCH = 100

/**
 * Records `payment_link.expired` for the links whose time has passed, once for each expiry
 * (contract section 6.2). Nobody's view of a link waits for this: its status is read off the clock.
 * A link that was paid, or archived before its time, did not expire and is only passed over; one
 * that awaits payment is left for later, since it expires when that fails. With `moved`, for the instance of that id, whose
 * clock was moved. Several processes may do this at the same time. Answers how many links were found.
 */
export async function recordExpiries(deps: Deps, moved?: string): Promise<number> {
  const now = deps.now()
  for (let found = 0; ;) {
    const batch = await listUnrecordedExpiries(deps.db, formatInstant(now), BATCH, moved)
    // Each in a transaction of its own, so that one which cannot be told keeps no other untold.
    await mapConcurrently(batch, (link) => recordExpiry(deps, link, now))
    found += batch.length
    if (batch.length < BATCH) return found
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
