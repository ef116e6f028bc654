import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../server/db/tables.ts'

/** How many statements wait for a row that somebody else has; on PostgreSQL. */
export async function countLockWaits(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.n ?? 0
}

/** Begins something, and resolves when it has ended, or waits for a row that somebody else has. */
export async function untilBlocked<T>(
  db: Db,
  act: () => Promise<T>,
): Promise<{ ending: Promise<T> }> {
  const progress = { isDone: false }
  const ending = act().finally(() => {
    progress.isDone = true
  })
  // Looked at by whoever began it; until then it is nobody's failure.
  ending.catch(() => {})
  await expect
    .poll(async () => progress.isDone || (await countLockWaits(db)) > 0, { timeout: 20_000 })
    .toBe(true)
  return { ending }
}
