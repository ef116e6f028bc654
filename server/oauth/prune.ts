import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import { deleteOldCodes, deleteOldTokens, deleteSpentGrants } from './store.ts'

/** What is used up is remembered this long: only then can its replay be told from a guess. */
const USED_KEPT_MS = 30 * 86_400_000

/** Removes what has expired, and grants that nothing is left of. */
export async function pruneGrants(at: { db: Db; now: () => number }): Promise<void> {
  const now = at.now()
  const usedBefore = formatInstant(now - USED_KEPT_MS)
  await deleteOldTokens(at.db, { now: formatInstant(now), usedBefore })
  await deleteOldCodes(at.db, usedBefore)
  await deleteSpentGrants(at.db)
}
