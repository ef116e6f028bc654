import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { recordDeepLinkEvent } from './events.ts'
import { listUnrecordedExpiries, markExpiryRecorded } from './store.ts'

const BATCH = 100

/**
 * Records `deep_link.expired` for links whose expiry has passed, once for each expiry. Skips links that
 * were archived before. With `instanceId`, only for that instance, whose test clock was moved. Safe to
 * run in several processes at once. Returns the number of links found.
 */
export async function recordDeepLinkExpiries(deps: Deps, instanceId?: string): Promise<number> {
  const now = deps.now()
  for (let expired = 0; ;) {
    const batch = await listUnrecordedExpiries(deps.db, formatInstant(now), BATCH, instanceId)
    // One transaction each, so that a failure affects one link only.
    await mapConcurrently(batch, (link) => recordExpiry(deps, link.id, now))
    expired += batch.length
    if (batch.length < BATCH) return expired
  }
}

async function recordExpiry(deps: Deps, id: string, now: number): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const link = await markExpiryRecorded(tx, id, formatInstant(now))
    if (!link) return
    const at = { tx, baseUrl: deps.config.baseUrl, now }
    await recordDeepLinkEvent(at, 'deep_link.expired', link)
  })
}
