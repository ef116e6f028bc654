import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'

const DAY_MS = 86_400_000
const KEPT_MS = 30 * DAY_MS
/** Rows of each transaction, which bounds how long other writers wait. */
const BATCH = 500

/**
 * Removes network addresses and browsers after thirty days: of callers of the API, users and payers. A
 * fingerprint goes with them, because it is a digest of an address that could be guessed; it is of one
 * day and finds no session any more.
 */
export async function removeAddresses({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const before = formatInstant(now() - KEPT_MS)
  while ((await removeFromActors(db, before)) === BATCH);
  while ((await removeFromCheckouts(db, before)) === BATCH);
}

async function removeFromActors(db: Deps['db'], before: string): Promise<number> {
  const result = await inTransaction(db, (tx) =>
    tx
      .updateTable('actor_sessions')
      .set({ ip: null, user_agent: null, fingerprint: sql`id` })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('actor_sessions')
          .select('id')
          .where('created', '<', before)
          // The exact condition of the partial index.
          .where(sql<boolean>`ip is not null or user_agent is not null`)
          .orderBy('created')
          .limit(BATCH),
      )
      .executeTakeFirst(),
  )
  return Number(result.numUpdatedRows)
}

async function removeFromCheckouts(db: Deps['db'], before: string): Promise<number> {
  const result = await inTransaction(db, (tx) =>
    tx
      .updateTable('checkouts')
      .set({ network: null })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('checkouts')
          .select('id')
          .where('created', '<', before)
          .where('network', 'is not', null)
          .orderBy('created')
          .limit(BATCH),
      )
      .executeTakeFirst(),
  )
  return Number(result.numUpdatedRows)
}
