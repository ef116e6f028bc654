import type { Selectable, Updateable } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { AttemptsTable, Db, Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { ofClock } from '../instances/test-clock-store.ts'
import type { Instance } from '../instances/store.ts'

export type AttemptRow = Selectable<AttemptsTable>

/** An attempt that a payer made on a link, and not a merchant or the scheduler. */
export interface PayerAttempt extends AttemptRow {
  payment_link_id: string
  checkout_id: string
  handle: string
  method_type: string
}

export function isPayerAttempt(attempt: AttemptRow): attempt is PayerAttempt {
  return attempt.checkout_id !== null
}

export async function insertAttempt(tx: Tx, row: AttemptRow): Promise<void> {
  await insert(tx, row)
}

const insert = compiledQuery((db: Db, row: AttemptRow) => db.insertInto('attempts').values(row))

export async function findAttempt(db: Db | Tx, id: string): Promise<AttemptRow | undefined> {
  return (await selectById(db, { id })).rows[0]
}

const selectById = compiledQuery((db: Db, { id }: { id: string }) =>
  db.selectFrom('attempts').selectAll().where('id', '=', id),
)

/** The clock of the instance that an attempt belongs to; the real one for an attempt that is unknown. */
export async function findClock(db: Db, id: string): Promise<Pick<Instance, 'clock_offset_ms'>> {
  const found = await db
    .selectFrom('attempts')
    .innerJoin('instances', 'instances.id', 'attempts.instance_id')
    .select('instances.clock_offset_ms')
    .where('attempts.id', '=', id)
    .executeTakeFirst()
  return found ?? { clock_offset_ms: null }
}

/** The attempt that the page made under its own key. */
export async function findAttemptByKey(
  db: Db,
  checkoutId: string,
  key: string,
): Promise<PayerAttempt | undefined> {
  const [attempt] = (await selectByKey(db, { checkoutId, key })).rows
  return attempt && payers(attempt)
}

const selectByKey = compiledQuery(
  (db: Db, { checkoutId, key }: { checkoutId: string; key: string }) =>
    db
      .selectFrom('attempts')
      .selectAll()
      .where('checkout_id', '=', checkoutId)
      .where('attempt_key', '=', key),
)

function payers(attempt: AttemptRow): PayerAttempt | undefined {
  return isPayerAttempt(attempt) ? attempt : undefined
}

export async function findAttemptByHandle(
  db: Db,
  handle: string,
): Promise<PayerAttempt | undefined> {
  if (!/^[\w-]{32}$/.test(handle)) return undefined
  const attempt = await db
    .selectFrom('attempts')
    .selectAll()
    .where('handle', '=', handle)
    .executeTakeFirst()
  return attempt && payers(attempt)
}

export async function findNewestAttempt(
  db: Db,
  checkoutId: string,
): Promise<PayerAttempt | undefined> {
  const attempt = await db
    .selectFrom('attempts')
    .selectAll()
    .where('checkout_id', '=', checkoutId)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return attempt && payers(attempt)
}

/** The operation on a payment that has no outcome yet, newest first. */
export async function findOpenAttempt(db: Db, paymentId: string): Promise<AttemptRow | undefined> {
  return db
    .selectFrom('attempts')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('state', '<>', 'DONE')
    .where('kind', 'not in', ['REFUND', 'VOID'])
    .orderBy('created', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A call to a processor that is about to begin. Times are epoch milliseconds. */
export interface Call {
  now: number
  /** When it has certainly ended. */
  callEnds: number
  /** The process that makes it, where others can see whether that is alive. */
  owner: string | null
}

/** What every operation sent to a processor has in common, ready to be stored. */
export function newAttempt(
  from: Pick<AttemptRow, 'instance_id' | 'kind' | 'payment_id' | 'transaction_id' | 'processor'> &
    Partial<AttemptRow>,
  at: Call,
): AttemptRow {
  const created = formatInstant(at.now)
  return {
    id: newId('at', at.now),
    refund_id: null,
    void_id: null,
    payment_link_id: null,
    checkout_id: null,
    attempt_key: null,
    request_hash: null,
    handle: null,
    returned: null,
    method_type: null,
    saved_method_id: null,
    save: 0,
    reusable: 0,
    consent: null,
    rest: null,
    state: 'SENT',
    action_url: null,
    message_id: 'status.checking',
    method_brand: null,
    method_last4: null,
    // If this process dies now, somebody asks the processor once the call must have ended.
    next_check: formatInstant(at.callEnds),
    checks: 0,
    owner: at.owner,
    restored: 0,
    created,
    updated: created,
    ...from,
  }
}

/**
 * Takes an attempt that is not final for settling, and holds its row until the transaction ends,
 * so that an answer, a poll and a returning payer settle it one after another. Undefined when it
 * is final already: whoever comes second has nothing to do (complaint U-27).
 */
export async function lockOpenAttempt(
  tx: Tx,
  id: string,
  now: string,
): Promise<AttemptRow | undefined> {
  return (await hold(tx, { id, now })).rows[0]
}

const hold = compiledQuery((db: Db, { id, now }: { id: string; now: string }) =>
  db
    .updateTable('attempts')
    .set({ updated: now })
    .where('id', '=', id)
    .where('state', '<>', 'DONE')
    .returningAll(),
)

export async function updateAttempt(
  tx: Db | Tx,
  id: string,
  change: Updateable<AttemptsTable>,
): Promise<void> {
  await update(tx, { ...change, id })
}

const update = compiledQuery(
  (db: Db, { id, ...change }: Updateable<AttemptsTable> & { id: string }) =>
    db.updateTable('attempts').set(change).where('id', '=', id),
)

/** True for the first return of the payer's browser with this handle, false ever after. */
export async function markReturned(db: Db, id: string, now: string): Promise<boolean> {
  const result = await db
    .updateTable('attempts')
    .set({ returned: now })
    .where('id', '=', id)
    .where('returned', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Attempts that are due to be seen to, oldest first: also one that is final but left something. Of all
 * instances whose clock was not moved, or of the one whose clock was.
 */
export async function listDue(
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
    .where((eb) => eb.or([eb('state', '<>', 'DONE'), eb('rest', '=', 'VOID')]))
    .where(ofClock('attempts.instance_id', moved))
    .orderBy('next_check')
    .limit(limit)
    .execute()
}

/** Operations of which nobody knows the outcome, oldest first. */
export async function listUnresolved(db: Db, sentBefore: string): Promise<UnresolvedAttempt[]> {
  return unresolved(db, sentBefore)
    .select(['id', 'instance_id', 'kind', 'payment_id', 'processor', 'created', 'checks'])
    .orderBy('created')
    .execute()
}

/** How many they are, and since when the oldest is. */
export async function oldestUnresolved(
  db: Db,
  sentBefore: string,
): Promise<{ count: number; oldest: string | null }> {
  return unresolved(db, sentBefore)
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('created').as('oldest')])
    .executeTakeFirstOrThrow()
}

/**
 * What was asked about in vain, and what was sent before `sentBefore` (date-time) and could be asked
 * about by nobody, since its processor is no longer configured.
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
      // What is still to be asked about, which an index knows.
      .where('next_check', 'is not', null)
  )
}

export type UnresolvedAttempt = Pick<
  AttemptRow,
  'id' | 'instance_id' | 'kind' | 'payment_id' | 'processor' | 'created' | 'checks'
>

/**
 * Leases a due attempt to this process by moving its next check; false when another process was
 * faster. A process that dies while holding the lease loses it at `until`.
 */
export async function leaseAttempt(db: Db, attempt: AttemptRow, until: string): Promise<boolean> {
  const result = await db
    .updateTable('attempts')
    .set({ next_check: until, checks: attempt.checks + 1 })
    .where('id', '=', attempt.id)
    .where('next_check', '=', attempt.next_check)
    .where('checks', '=', attempt.checks)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Moves the deadlines of an instance's calls that are under way along with its clock, by `ms`
 * milliseconds: a call takes as long as before, however far the clock is moved meanwhile.
 */
export async function shiftCalls(tx: Tx, instanceId: string, ms: number): Promise<void> {
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
 * Has every attempt without a final outcome asked about now, because what is known of it here is
 * older than what the processor did and than what followed from it. Answers how many. `now` is epoch
 * milliseconds.
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
 * Brings forward the check of calls that a process left behind when it died. Only for a database
 * that no other process uses: there, a call that still waits for its answer cannot exist.
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
 * Has the calls that these processes left behind asked about now. Returns how many. `now` is epoch
 * milliseconds.
 */
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
