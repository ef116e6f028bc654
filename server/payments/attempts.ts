import type { Updateable } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { AttemptRow, AttemptsTable, PaymentRow } from '../db/tables/payments.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Db, Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'

/** An attempt by a payer on a link, not by a merchant or the scheduler. */
export interface PayerAttempt extends AttemptRow {
  payment_link_id: string
  checkout_id: string
  handle: string
  method_type: string
}

export function isPayerAttempt(attempt: AttemptRow): attempt is PayerAttempt {
  return attempt.checkout_id !== null
}

export const insertAttempt = compiledQuery((db: Db, row: AttemptRow) =>
  db.insertInto('attempts').values(row),
)

export async function findAttempt(db: Db | Tx, id: string): Promise<AttemptRow | undefined> {
  return (await selectById(db, { id })).rows[0]
}

const selectById = compiledQuery((db: Db, { id }: { id: string }) =>
  db.selectFrom('attempts').selectAll().where('id', '=', id),
)

/** Returns the clock of the attempt's instance; the real clock for an unknown attempt. */
export async function findClock(db: Db, id: string): Promise<Pick<Instance, 'clock_offset_ms'>> {
  const found = await db
    .selectFrom('attempts')
    .innerJoin('instances', 'instances.id', 'attempts.instance_id')
    .select('instances.clock_offset_ms')
    .where('attempts.id', '=', id)
    .executeTakeFirst()
  return found ?? { clock_offset_ms: null }
}

export async function findAttemptByKey(
  db: Db,
  checkoutId: string,
  key: string,
): Promise<PayerAttempt | undefined> {
  const [attempt] = (await selectByKey(db, { checkoutId, key })).rows
  return attempt && asPayerAttempt(attempt)
}

const selectByKey = compiledQuery(
  (db: Db, { checkoutId, key }: { checkoutId: string; key: string }) =>
    db
      .selectFrom('attempts')
      .selectAll()
      .where('checkout_id', '=', checkoutId)
      .where('attempt_key', '=', key),
)

function asPayerAttempt(attempt: AttemptRow): PayerAttempt | undefined {
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
  return attempt && asPayerAttempt(attempt)
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
  return attempt && asPayerAttempt(attempt)
}

/** Returns the attempt that made a payment; undefined for one without an outcome. */
export async function findPaidAttempt(
  db: Db,
  { id, transaction_id }: Pick<PaymentRow, 'id' | 'transaction_id'>,
): Promise<AttemptRow | undefined> {
  return db
    .selectFrom('attempts')
    .selectAll()
    .where('payment_id', '=', id)
    .where('transaction_id', '=', transaction_id)
    .limit(1)
    .executeTakeFirst()
}

/** Returns the newest attempt on a payment that has no outcome; refunds and voids do not count. */
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

/**
 * Returns the attempts on a payment that the processor can be asked about at `now` (date-time), oldest
 * first, at most 50: those without an outcome whose call has ended. Refunds and voids count.
 */
export async function findCheckableAttempts(
  db: Db,
  paymentId: string,
  now: string,
): Promise<AttemptRow[]> {
  return db
    .selectFrom('attempts')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['UNRESOLVED', 'PENDING']),
        eb.and([eb('state', '=', 'SENT'), eb('next_check', '<=', now)]),
      ]),
    )
    .orderBy('created')
    .orderBy('id')
    .limit(50)
    .execute()
}

/** A call to a processor that is about to start. Times are epoch milliseconds. */
export interface ProcessorCall {
  now: number
  /** When the call has certainly ended. */
  callEnds: number
  /** The process that calls, where other processes can see whether it is alive. */
  owner: string | null
}

export function newAttempt(
  columns: Pick<
    AttemptRow,
    'instance_id' | 'kind' | 'payment_id' | 'transaction_id' | 'processor'
  > &
    Partial<AttemptRow>,
  call: ProcessorCall,
): AttemptRow {
  const created = formatInstant(call.now)
  return {
    id: newId('at', call.now),
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
    options_v: null,
    set_aside: 0,
    state: 'SENT',
    action_url: null,
    action_expires: null,
    message_id: 'status.checking',
    method_brand: null,
    method_last4: null,
    // If this process dies, the reconciler queries the processor once the call has ended.
    next_check: formatInstant(call.callEnds),
    checks: 0,
    owner: call.owner,
    restored: 0,
    noticed: 0,
    decline_code: null,
    created,
    updated: created,
    ...columns,
  }
}

/**
 * Locks an attempt without a final outcome until the transaction ends, so that a response, a query
 * and a returning payer settle it one after another. Returns undefined when it is final.
 */
export async function lockOpenAttempt(
  tx: Tx,
  id: string,
  now: string,
): Promise<AttemptRow | undefined> {
  return (await lockRow(tx, { id, now })).rows[0]
}

const lockRow = compiledQuery((db: Db, { id, now }: { id: string; now: string }) =>
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
  await updateRow(tx, { ...change, id })
}

const updateRow = compiledQuery(
  (db: Db, { id, ...change }: Updateable<AttemptsTable> & { id: string }) =>
    db.updateTable('attempts').set(change).where('id', '=', id),
)

/** Returns true for the first return of the payer's browser only. */
export async function markReturned(
  db: Db,
  { table, id }: { table: 'attempts' | 'method_setups'; id: string },
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable(table)
    .set({ returned: now })
    .where('id', '=', id)
    .where('returned', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
