import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { saveOpeningTimes } from '../payment-links/queries.ts'
import { deleteUnusedBundles, deleteCheckouts, listEndedCheckouts } from './store.ts'

/** Longer than any session lives, counted from the last session that was opened on a bundle. */
const UNUSED_MS = 2 * 86_400_000

/** Removes wording that no living session can still show. */
export async function pruneBundles(deps: Deps): Promise<void> {
  await deleteUnusedBundles(deps.db, formatInstant(deps.now() - UNUSED_MS))
}

/** Sessions are read in batches, so that nothing else waits long for a transaction to end. */
const BATCH = 200

/**
 * Removes sessions that ended longer ago than the setting `CHECKOUT_RETENTION_DAYS`. What they were
 * opened for stays: payments and their attempts, and the times that their link shows. Several
 * processes may do this at the same time.
 */
export async function pruneCheckouts(deps: Pick<Deps, 'db' | 'config' | 'now'>): Promise<void> {
  const before = formatInstant(deps.now() - deps.config.checkoutRetentionMs)
  for (let found = BATCH; found === BATCH;) {
    const ended = await listEndedCheckouts(deps.db, before, BATCH)
    found = ended.length
    await inTransaction(deps.db, async (tx) => {
      // Links first and in one order, as everything else locks them before their sessions.
      await saveOpeningTimes(tx, ended)
      await deleteCheckouts(
        tx,
        ended.map(({ id }) => id),
      )
    })
  }
}
