import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { saveOpeningTimes } from '../payment-links/queries.ts'
import { deleteUnusedBundles } from '../strings/bundle-store.ts'
import { deleteCheckouts, listEndedCheckouts } from './store.ts'

/** Since the last session was opened on a bundle; longer than a session's lifetime. */
const UNUSED_MS = 2 * 86_400_000

/** Deletes the bundles that no open session can still need. */
export async function pruneBundles(deps: Deps): Promise<void> {
  await deleteUnusedBundles(deps.db, formatInstant(deps.now() - UNUSED_MS))
}

/** Bounds the length of each transaction. */
const BATCH = 200

/**
 * Deletes sessions that ended longer ago than the setting `CHECKOUT_RETENTION_DAYS`. Keeps their
 * payments and attempts, and their opening times on the link. Safe to run in several processes.
 */
export async function pruneCheckouts(deps: Pick<Deps, 'db' | 'config' | 'now'>): Promise<void> {
  const before = formatInstant(deps.now() - deps.config.checkoutRetentionMs)
  for (let found = BATCH; found === BATCH;) {
    const ended = await listEndedCheckouts(deps.db, before, BATCH)
    found = ended.length
    await inTransaction(deps.db, async (tx) => {
      // Links are locked before sessions everywhere, which prevents deadlocks.
      await saveOpeningTimes(tx, ended)
      await deleteCheckouts(
        tx,
        ended.map(({ id }) => id),
      )
    })
  }
}
