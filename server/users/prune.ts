import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import { deleteExpiredSessions } from './store.ts'

/** Removes sessions that have run out, and links that were never used. */
export async function pruneSessions(at: { db: Db; now: () => number }): Promise<void> {
  await deleteExpiredSessions(at.db, formatInstant(at.now()))
}
