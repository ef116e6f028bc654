import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../server/db/tables.ts'

/** Returns how many statements wait for a lock. PostgreSQL only. */
export async function countLockWaits(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Starts `act`, and resolves when it has ended or waits for a row lock. `others` is how many statements
 * wait already.
 */
export async function untilBlocked<T>(
  db: Db,
  act: () => Promise<T>,
  others = 0,
): Promise<{ ending: Promise<T> }> {
  const progress = { isDone: false }
  const ending = act().finally(() => {
    progress.isDone = true
  })
  // The caller awaits `ending`, and so sees a failure.
  ending.catch(() => {})
  await expect
    .poll(async () => progress.isDone || (await countLockWaits(db)) > others, { timeout: 20_000 })
    .toBe(true)
  return { ending }
}
