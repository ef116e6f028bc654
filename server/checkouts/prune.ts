import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { saveOpeningTimes } from '../payment-links/queries.ts'
import { deleteUnusedBundles } from '../strings/bundle-store.ts'
import { deleteCheckouts, listEndedCheckouts } from './store.ts'

/** A session can have been opened on a bundle shortly before it is stored. */
const UNUSED_MS = 2 * 86_400_000

/** Deletes the bundles that no session has. */
export async function pruneBundles(deps: Deps): Promise<void> {
  await deleteUnusedBundles(deps.db, formatInstant(deps.now() - UNUSED_MS))
}

/** Bounds the length of each transaction. */
const BATCH = 200

type Settings = Pick<Deps['config'], 'checkoutRetentionMs' | 'wordingKeepMs'>

/** Returns for how long a session is kept after its end, in milliseconds. */
export function keptMs(settings: Settings, isPaid: boolean): number {
  const { checkoutRetentionMs, wordingKeepMs } = settings
  return isPaid ? Math.max(checkoutRetentionMs, wordingKeepMs) : checkoutRetentionMs
}

/**
 * Deletes sessions that ended longer ago than the setting `CHECKOUT_RETENTION_DAYS`, or, if they paid,
 * `WORDING_KEEP_DAYS`. Keeps their payments and attempts, and their opening times on the link. Safe to run
 * in several processes.
 */
export async function pruneCheckouts(deps: Pick<Deps, 'db' | 'config' | 'now'>): Promise<void> {
  for (const ended of ['UNPAID', 'PAID'] as const) {
    const before = formatInstant(deps.now() - keptMs(deps.config, ended === 'PAID'))
    for (let found = BATCH; found === BATCH;) {
      const sessions = await listEndedCheckouts(deps.db, ended, before, BATCH)
      found = sessions.length
      await inTransaction(deps.db, async (tx) => {
        // Links are locked before sessions everywhere, which prevents deadlocks.
        await saveOpeningTimes(tx, sessions)
        await deleteCheckouts(
          tx,
          sessions.map(({ id }) => id),
        )
      })
    }
  }
}
