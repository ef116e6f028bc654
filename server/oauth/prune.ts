import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import { deleteExpiredCodes, deleteEmptyGrants } from './grant-store.ts'
import { deleteDeadTokens } from './token-store.ts'

/** Used codes and tokens are kept to detect their reuse. */
const USED_RETENTION_MS = 30 * 86_400_000

/** Deletes expired tokens and codes, and grants that have neither. */
export async function pruneGrants({
  db,
  now: clock,
}: {
  db: Db
  now: () => number
}): Promise<void> {
  const now = clock()
  const usedBefore = formatInstant(now - USED_RETENTION_MS)
  await deleteDeadTokens(db, { now: formatInstant(now), usedBefore })
  await deleteExpiredCodes(db, usedBefore)
  await deleteEmptyGrants(db)
}
