import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import { deleteExpiredCodes, deleteDeadTokens, deleteEmptyGrants } from './store.ts'

/** What is used up is remembered this long: only then can its replay be told from a guess. */
const USED_KEPT_MS = 30 * 86_400_000

/** Removes what has expired, and grants that nothing is left of. */
export async function pruneGrants(at: { db: Db; now: () => number }): Promise<void> {
  const now = at.now()
  const usedBefore = formatInstant(now - USED_KEPT_MS)
  await deleteDeadTokens(at.db, { now: formatInstant(now), usedBefore })
  await deleteExpiredCodes(at.db, usedBefore)
  await deleteEmptyGrants(at.db)
}
