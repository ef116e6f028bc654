import type { Deps } from '../deps.ts'
import { deleteOldEvents } from './store.ts'

const DAY_MS = 86_400_000
const KEPT_MS = 30 * DAY_MS
/** Longer than all attempts at one delivery take together. */
const TRIED_MS = 8 * DAY_MS
/** Each may have deliveries to twenty webhooks, which go with it in one transaction. */
const BATCH = 200

/**
 * Removes events after thirty days, with their deliveries (contract section 16). One that was handed
 * out late, or asked for again, stays for as long as its webhooks are tried.
 */
export async function pruneEvents({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const old = { before: now() - KEPT_MS, triedSince: now() - TRIED_MS }
  while ((await deleteOldEvents(db, old, BATCH)) === BATCH);
}
