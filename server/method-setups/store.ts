import type { Updateable } from 'kysely'
import type { Instance } from '../db/tables/instances.ts'
import type { MethodSetupRow, MethodSetupsTable } from '../db/tables/method-setups.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tx } from '../db/tables.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import { onTestClock } from '../instances/test-clock-store.ts'

export async function insertMethodSetup(tx: Tx, row: MethodSetupRow): Promise<void> {
  await tx.insertInto('method_setups').values(row).execute()
}

export async function findMethodSetup(
  db: Db | Tx,
  by: 'id' | 'handle',
  value: string,
): Promise<MethodSetupRow | undefined> {
  // PostgreSQL rejects a text that contains NUL, and none of them does.
  if (value.includes('\0')) return undefined
  return db.selectFrom('method_setups').selectAll().where(by, '=', value).executeTakeFirst()
}

export async function findMethodSetupByKey(
  db: Db | Tx,
  sessionId: string,
  attemptKey: string,
): Promise<MethodSetupRow | undefined> {
  return (await selectByKey(db, { sessionId, attemptKey })).rows[0]
}

const selectByKey = compiledQuery(
  (db: Db, { sessionId, attemptKey }: { sessionId: string; attemptKey: string }) =>
    db
      .selectFrom('method_setups')
      .selectAll()
      .where('session_id', '=', sessionId)
      .where('attempt_key', '=', attemptKey),
)

export async function findNewestMethodSetup(
  db: Db | Tx,
  sessionId: string,
): Promise<MethodSetupRow | undefined> {
  return db
    .selectFrom('method_setups')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the set-up that begins the contract of a link, or has begun it. */
export async function findMethodSetupOfLink(
  db: Db | Tx,
  linkId: string,
): Promise<MethodSetupRow | undefined> {
  return db
    .selectFrom('method_setups')
    .selectAll()
    .where('payment_link_id', '=', linkId)
    .where('set_aside', '=', 0)
    .where('status', '<>', 'DECLINE')
    .orderBy('created', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns how many set-ups of an account since a date-time were declined or have no outcome yet. */
export async function countUnsuccessfulSetups(
  db: Db | Tx,
  accountId: string,
  since: string,
): Promise<number> {
  const { count } = await db
    .selectFrom('method_setups')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('created', '>', since)
    .where('status', '<>', 'SUCCESS')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the clock of the set-up's instance; undefined for an unknown set-up. */
export async function findSetupClock(
  db: Db,
  id: string,
): Promise<Pick<Instance, 'clock_offset_ms'> | undefined> {
  return db
    .selectFrom('method_setups')
    .innerJoin('instances', 'instances.id', 'method_setups.instance_id')
    .select('instances.clock_offset_ms')
    .where('method_setups.id', '=', id)
    .executeTakeFirst()
}

/**
 * Marks the sessions' set-ups without an outcome: what they save later is not wanted any more. Returns how
 * many were not marked before.
 */
export async function setAsideOpenSetups(tx: Tx, sessionIds: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('method_setups')
    .set({ set_aside: 1 })
    .where('session_id', 'in', sessionIds)
    .where('state', '<>', 'DONE')
    .where('set_aside', '=', 0)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Locks a set-up without an outcome until the transaction ends. Undefined when it is final. */
export async function lockOpenSetup(
  tx: Tx,
  id: string,
  now: string,
): Promise<MethodSetupRow | undefined> {
  return tx
    .updateTable('method_setups')
    .set({ updated: now })
    .where('id', '=', id)
    .where('state', '<>', 'DONE')
    .returningAll()
    .executeTakeFirst()
}

export async function updateMethodSetup(
  tx: Tx,
  id: string,
  change: Updateable<MethodSetupsTable>,
): Promise<void> {
  await tx.updateTable('method_setups').set(change).where('id', '=', id).execute()
}

/**
 * Returns set-ups whose processor is to be queried at `now` (date-time), oldest first, of the instances
 * on the real clock or, with `moved`, of the one with that id.
 */
export async function listDueSetups(
  db: Db,
  now: string,
  limit: number,
  moved?: string,
): Promise<MethodSetupRow[]> {
  return db
    .selectFrom('method_setups')
    .selectAll()
    .where('next_check', 'is not', null)
    .where('next_check', '<=', now)
    .where(onTestClock('method_setups.instance_id', moved))
    .orderBy('next_check')
    .limit(limit)
    .execute()
}

/** Leases a due set-up by moving its next check. Returns false when another process was faster. */
export async function leaseSetup(db: Db, setup: MethodSetupRow, until: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('method_setups')
    .set({ next_check: until, checks: setup.checks + 1 })
    .where('id', '=', setup.id)
    .where('next_check', '=', setup.next_check)
    .where('checks', '=', setup.checks)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Moves the deadlines of an instance's running calls by `ms`, along with its test clock. */
export async function shiftSetupDeadlines(tx: Tx, instanceId: string, ms: number): Promise<void> {
  const calls = await tx
    .selectFrom('method_setups')
    .select(['id', 'next_check'])
    .where('instance_id', '=', instanceId)
    .where('next_check', 'is not', null)
    .where('state', '=', 'SENT')
    .execute()
  for (const { id, next_check } of calls) {
    await tx
      .updateTable('method_setups')
      .set({ next_check: formatInstant(Date.parse(next_check as string) + ms) })
      .where('id', '=', id)
      .where('state', '=', 'SENT')
      .where('next_check', '=', next_check)
      .execute()
  }
}

/**
 * Makes every set-up without an outcome due now, after a backup was restored: the processor may have
 * decided since. Returns their number. `now` is epoch milliseconds.
 */
export async function expediteRestoredSetups(db: Db, now: number): Promise<number> {
  const result = await db
    .updateTable('method_setups')
    .set({ next_check: formatInstant(now), restored: 1 })
    .where('state', '<>', 'DONE')
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/**
 * Makes the calls that a dead process left behind due now. Only for a database that no other process
 * uses, where no call can still be running. `now` is epoch milliseconds.
 */
export async function expediteOrphanedSetups(db: Db, now: number): Promise<void> {
  await db
    .updateTable('method_setups')
    .set({ next_check: formatInstant(now) })
    .where('next_check', 'is not', null)
    .where('state', '=', 'SENT')
    .execute()
}

/**
 * Makes the set-ups of a connection due now that a notification is about, besides those whose first call
 * still runs. `now` is epoch milliseconds.
 */
export async function expediteSetups(
  tx: Tx,
  connection: { id: string; instance_id: string },
  operations: readonly string[],
  now: number,
): Promise<void> {
  const setups = operations.filter((operation) => operation.startsWith('st_'))
  if (setups.length === 0) return
  await tx
    .updateTable('method_setups')
    .set({ next_check: formatInstant(now) })
    .where('id', 'in', setups)
    .where('instance_id', '=', connection.instance_id)
    .where('processor', '=', connection.id)
    .where('state', 'not in', ['SENT', 'DONE'])
    .execute()
}
