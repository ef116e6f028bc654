import type { Deps } from '../deps.ts'
import { deleteOldEvents } from './store.ts'

const DAY_MS = 86_400_000
const RETENTION_MS = 30 * DAY_MS
/** Longer than all attempts of one delivery. */
const RETRIES_MS = 8 * DAY_MS
/** Each event may have twenty deliveries, which are deleted in the same transaction. */
const BATCH = 200

/**
 * Deletes events after thirty days, with their deliveries. An event that was fanned out late or
 * replayed stays while its deliveries are retried.
 */
export async function pruneEvents({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const old = { before: now() - RETENTION_MS, triedSince: now() - RETRIES_MS }
  while ((await deleteOldEvents(db, old, BATCH)) === BATCH);
}
