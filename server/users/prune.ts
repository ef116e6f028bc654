import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import { deleteExpiredSessions } from './store.ts'

/** Deletes expired sessions and expired first-user links. */
export async function pruneSessions({ db, now }: { db: Db; now: () => number }): Promise<void> {
  await deleteExpiredSessions(db, formatInstant(now()))
}
