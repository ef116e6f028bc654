import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import { deleteOldCodes, deleteOldTokens, deleteSpentGrants } from './store.ts'

/** A used code is remembered this long, because only then can its replay be told from a guess. */
const CODES_KEPT_MS = 30 * 86_400_000

/** Removes what has expired, and grants that nothing is left of. */
export async function pruneGrants(at: { db: Db; now: () => number }): Promise<void> {
  const now = at.now()
  await deleteOldTokens(at.db, formatInstant(now))
  await deleteOldCodes(at.db, formatInstant(now - CODES_KEPT_MS))
  await deleteSpentGrants(at.db)
}
