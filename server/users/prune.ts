import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import { deleteExpiredSteps } from './factors/store.ts'
import { deleteExpiredSessions } from './store.ts'

/** Deletes expired sessions, first-user links and what is left of sign-ins. */
export async function pruneSessions({ db, now }: { db: Db; now: () => number }): Promise<void> {
  const at = formatInstant(now())
  await deleteExpiredSessions(db, at)
  await deleteExpiredSteps(db, at)
}
