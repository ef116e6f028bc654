import type { Deps } from '../deps.ts'
import { deleteOldEvents } from './store.ts'

const KEPT_MS = 30 * 86_400_000
/** Each may have deliveries to twenty webhooks, which go with it in one transaction. */
const BATCH = 200

/** Removes events after thirty days, with their deliveries (contract section 16). */
export async function pruneEvents({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  while ((await deleteOldEvents(db, now() - KEPT_MS, BATCH)) === BATCH);
}
