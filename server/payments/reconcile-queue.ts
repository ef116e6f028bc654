import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { AttemptRow } from '../db/tables/payments.ts'
import type { Db, Tx } from '../db/tables.ts'
import { onTestClock } from '../instances/test-clock-store.ts'

/** The attempts that the reconciler has to check, by `next_check`. */

/**
 * Returns attempts that are due, oldest first, with final captures whose remainder is to be voided and
 * surplus payments. Covers the instances on the real clock or, with `moved`, the one with that id, whose test clock was moved.
 */
export async function listDueAttempts(
  db: Db,
  now: string,
  limit: number,
  moved?: string,
): Promise<AttemptRow[]> {
  return db
    .selectFrom('attempts')
    .selectAll()
    .where('next_check', 'is not', null)
    .where('next_check', '<=', now)
    .where((eb) => eb.or([eb('state', '<>', 'DONE'), eb('rest', 'in', ['VOID', 'REFUND'])]))
    .where(onTestClock('attempts.instance_id', moved))
    .orderBy('next_check')
    .limit(limit)
    .execute()
}

/** Returns operations whose outcome is not known, oldest first. */
export async function listUnresolved(db: Db, sentBefore: string): Promise<UnresolvedAttempt[]> {
  return unresolved(db, sentBefore)
    .select(['id', 'instance_id', 'kind', 'payment_id', 'processor', 'created', 'checks'])
    .orderBy('created')
    .execute()
}

/** Returns their number and when the oldest was created. */
export async function countUnresolved(
  db: Db,
  sentBefore: string,
): Promise<{ count: number; oldest: string | null }> {
  return unresolved(db, sentBefore)
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('created').as('oldest')])
    .executeTakeFirstOrThrow()
}

/**
 * Operations whose query had no response, and calls from before `sentBefore` (date-time) that could
 * not be queried because their processor is not configured.
 */
function unresolved(db: Db, sentBefore: string) {
  return (
    db
      .selectFrom('attempts')
      .where((eb) =>
        eb.or([
          eb('state', '=', 'UNRESOLVED'),
          eb.and([eb('state', '=', 'SENT'), eb('created', '<', sentBefore)]),
        ]),
      )
      // Lets the partial index be used.
      .where('next_check', 'is not', null)
  )
}

export type UnresolvedAttempt = Pick<
  AttemptRow,
  'id' | 'instance_id' | 'kind' | 'payment_id' | 'processor' | 'created' | 'checks'
>

/**
 * Leases a due attempt to this process until `until` by moving its next check. Returns false when
 * another process was faster.
 */
export async function leaseAttempt(db: Db, attempt: AttemptRow, until: string): Promise<boolean> {
  const result = await db
    .updateTable('attempts')
    .set({ next_check: until, checks: attempt.checks + 1, noticed: 0 })
    .where('id', '=', attempt.id)
    .where('next_check', '=', attempt.next_check)
    .where('checks', '=', attempt.checks)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Moves the deadlines of an instance's running calls by `ms` milliseconds, along with its test clock.
 */
export async function shiftCallDeadlines(tx: Tx, instanceId: string, ms: number): Promise<void> {
  const calls = await tx
    .selectFrom('attempts')
    .select(['id', 'next_check'])
    .where('instance_id', '=', instanceId)
    .where('next_check', 'is not', null)
    .where('state', '=', 'SENT')
    .execute()
  for (const { id, next_check } of calls) {
    await tx
      .updateTable('attempts')
      .set({ next_check: formatInstant(Date.parse(next_check as string) + ms) })
      .where('id', '=', id)
      .where('state', '=', 'SENT')
      .where('next_check', '=', next_check)
      .execute()
  }
}

/**
 * Makes every attempt without a final outcome due now, after a backup was restored: the processor may
 * have decided since. Returns their number. `now` is epoch milliseconds.
 */
export async function expediteRestored(db: Db | Tx, now: number): Promise<number> {
  const result = await db
    .updateTable('attempts')
    .set({ next_check: formatInstant(now), restored: 1 })
    .where('state', '<>', 'DONE')
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/**
 * Makes the calls that a dead process left behind due now. Only for a database that no other process
 * uses, where no call can still be running. `now` is epoch milliseconds.
 */
export async function expediteOrphans(db: Db, now: number): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ next_check: formatInstant(now) })
    .where('next_check', 'is not', null)
    .where('state', '=', 'SENT')
    .execute()
}

/**
 * Makes the attempts of a connection due now that a notification is about. The first call of an attempt
 * may still run, so that one is due when the call has ended. A query that runs already may not have seen
 * what the notification is about, so the attempt is queried once more after it. `now` is epoch ms.
 */
export async function expediteNoticed(
  tx: Tx,
  connection: { id: string; instance_id: string },
  operations: readonly string[],
  now: number,
): Promise<void> {
  if (operations.length === 0) return
  const due = formatInstant(now)
  await tx
    .updateTable('attempts')
    .set({
      noticed: 1,
      next_check: sql<string>`case when state = 'SENT' then next_check else ${due} end`,
    })
    .where('id', 'in', [...operations])
    .where('instance_id', '=', connection.instance_id)
    .where('processor', '=', connection.id)
    .where('state', '<>', 'DONE')
    .execute()
}

/** Makes the calls of these dead processes due now. Returns their number. `now` is epoch ms. */
export async function expediteCallsOf(
  db: Db,
  owners: readonly string[],
  now: number,
): Promise<number> {
  const result = await db
    .updateTable('attempts')
    .set({ next_check: formatInstant(now), owner: null })
    .where('next_check', 'is not', null)
    .where('state', '=', 'SENT')
    .where('owner', 'in', owners)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}
