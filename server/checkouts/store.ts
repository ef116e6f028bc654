import { sql, type Updateable } from 'kysely'
import type { CheckoutRow, CheckoutsTable } from '../db/tables/checkouts.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { Db, Tx } from '../db/tables.ts'
import { recordCounts } from '../checkout-monitor/record-counts.ts'
import { literal } from '../db/partial-index.ts'
import { withRowLock } from '../db/row-locks.ts'
import { onTestClock } from '../instances/test-clock-store.ts'

/**
 * Inserts a session. Returns false when its link was archived before it was paid. The link stays
 * locked until the transaction ends, so a concurrent archive closes this session too.
 */
export async function insertCheckout(tx: Tx, row: CheckoutRow): Promise<boolean> {
  const insert = row.payment_link_id === null ? insertOnDeepLink : insertOnPaymentLink
  if ((await insert(tx, row)).numAffectedRows !== 1n) return false
  await recordCounts(tx, undefined, row)
  return true
}

const insertOnPaymentLink = compiledQuery((db: Db, row: CheckoutRow) => {
  const columns = Object.keys(row) as (keyof CheckoutRow)[]
  return db
    .insertInto('checkouts')
    .columns(columns)
    .expression((eb) =>
      eb
        .selectFrom('payment_links')
        .select(columns.map((name) => eb.val(row[name]).as(name)))
        .where('payment_links.id', '=', row.payment_link_id)
        .where((link) => link.or([link('archived', 'is', null), link('status', '<>', 'ACTIVE')]))
        // The lock that the foreign key takes anyway.
        .$call(withRowLock(db, 'key share')),
    )
})

const insertOnDeepLink = compiledQuery((db: Db, row: CheckoutRow) => {
  const columns = Object.keys(row) as (keyof CheckoutRow)[]
  return db
    .insertInto('checkouts')
    .columns(columns)
    .expression((eb) =>
      eb
        .selectFrom('deep_links')
        .select(columns.map((name) => eb.val(row[name]).as(name)))
        .where('deep_links.id', '=', row.deep_link_id)
        .where('archived', 'is', null)
        .$call(withRowLock(db, 'key share')),
    )
})

export async function findCheckout(db: Db | Tx, id: string): Promise<CheckoutRow | undefined> {
  return (await selectById(db, { id })).rows[0]
}

const selectById = compiledQuery((db: Db, { id }: { id: string }) =>
  db.selectFrom('checkouts').selectAll().where('id', '=', id),
)

/** Throws when the session does not exist. For ids that a stored row refers to. */
export async function getCheckout(db: Db | Tx, id: string): Promise<CheckoutRow> {
  const checkout = await findCheckout(db, id)
  if (!checkout) throw new Error(`there is no session ${id}`)
  return checkout
}

/**
 * Marks an open session as submitted, locks it until the transaction ends and returns it. Returns
 * undefined when the session has ended.
 */
export async function lockOpenCheckout(tx: Tx, id: string): Promise<CheckoutRow | undefined> {
  return (await setSubmitted(tx, { id })).rows[0]
}

const setSubmitted = compiledQuery((db: Db, { id }: { id: string }) =>
  db
    .updateTable('checkouts')
    .set({ status: 'SUBMITTED' })
    .where('id', '=', id)
    .where('status', '=', 'OPEN')
    .returningAll(),
)

/** Returns a session, locked until the transaction ends. Throws when it does not exist. */
export async function lockCheckout(tx: Tx, id: string): Promise<CheckoutRow> {
  const [checkout] = (await selectLocked(tx, { id })).rows
  if (!checkout) throw new Error(`there is no session ${id}`)
  return checkout
}

const selectLocked = compiledQuery((db: Db, { id }: { id: string }) =>
  db
    .selectFrom('checkouts')
    .selectAll()
    .where('id', '=', id)
    .$call(withRowLock(db, 'no key update')),
)

/** A change of a session's columns. */
type CheckoutChange = Partial<CheckoutRow>

/** Updates a session that this transaction has locked and read. */
export async function updateCheckout(
  tx: Tx,
  stored: CheckoutRow,
  change: CheckoutChange,
): Promise<void> {
  await update(tx, { ...change, id: stored.id })
  await recordCounts(tx, stored, { ...stored, ...change })
}

const update = compiledQuery(
  (db: Db, { id, ...change }: Updateable<CheckoutsTable> & { id: string }) =>
    db
      .updateTable('checkouts')
      .set({ ...change, v: sql<number>`v + 1` })
      .where('id', '=', id),
)

/** Stores what an open session shows of charges, which is not part of the API's record, so `v` stays. */
export async function setCharges(db: Db, id: string, charges: string | null): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ charges })
    .where('id', '=', id)
    .where('status', '=', 'OPEN')
    .execute()
}

/**
 * Lists open sessions that expired by `now`, oldest first: of all instances with the real clock, or of
 * the instance `instanceId`, whose test clock was moved.
 */
export async function listExpiredCheckouts(
  db: Db,
  now: string,
  limit: number,
  instanceId?: string,
): Promise<CheckoutRow[]> {
  return db
    .selectFrom('checkouts')
    .selectAll()
    .where('status', '=', literal('OPEN'))
    .where('expires', '<=', now)
    .where(onTestClock('checkouts.instance_id', instanceId))
    .orderBy('expires')
    .limit(limit)
    .execute()
}

export async function listOpenCheckouts(
  db: Db,
  instanceId: string,
  linkId: string,
  limit: number,
): Promise<CheckoutRow[]> {
  return db
    .selectFrom('checkouts')
    .selectAll()
    .where('payment_link_id', '=', linkId)
    .where('instance_id', '=', instanceId)
    .where('status', '=', 'OPEN')
    .limit(limit)
    .execute()
}

export async function listOpenCheckoutsOfDeepLink(
  db: Db,
  deepLinkId: string,
  limit: number,
): Promise<CheckoutRow[]> {
  return db
    .selectFrom('checkouts')
    .selectAll()
    .where('deep_link_id', '=', deepLinkId)
    .where('status', '=', 'OPEN')
    .limit(limit)
    .execute()
}

/** Updates an open session. Returns false when it was changed after `stored` was read. */
export async function updateIfUnchanged(
  tx: Tx,
  stored: CheckoutRow,
  change: CheckoutChange,
): Promise<boolean> {
  const result = await tx
    .updateTable('checkouts')
    .set({ ...change, v: stored.v + 1 })
    .where('id', '=', stored.id)
    .where('status', '=', 'OPEN')
    .where('v', '=', stored.v)
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) return false
  await recordCounts(tx, stored, { ...stored, ...change })
  return true
}

/** Marks a session as having a declined attempt, which is no change that its merchant sees. */
export async function markDeclined(tx: Tx, stored: CheckoutRow): Promise<void> {
  if (stored.declined === 1) return
  await tx.updateTable('checkouts').set({ declined: 1 }).where('id', '=', stored.id).execute()
  await recordCounts(tx, stored, { ...stored, declined: 1 })
}

/** The exact conditions of the partial indexes. */
const ENDED = {
  PAID: sql<boolean>`status = 'COMPLETED'`,
  UNPAID: sql<boolean>`status in ('EXPIRED', 'ABANDONED')`,
}

/**
 * Lists sessions that ended before a time, oldest first: those that paid, or the others. A session with an
 * unfinished attempt has not ended.
 */
export async function listEndedCheckouts(
  db: Db,
  ended: keyof typeof ENDED,
  before: string,
  limit: number,
): Promise<Pick<CheckoutRow, 'id' | 'payment_link_id' | 'created'>[]> {
  return db
    .selectFrom('checkouts')
    .select(['id', 'payment_link_id', 'created'])
    .where(ENDED[ended])
    .where('expires', '<', before)
    .where('updated', '<', before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('attempts')
            .select('attempts.id')
            .whereRef('attempts.checkout_id', '=', 'checkouts.id')
            .where('attempts.state', '<>', 'DONE'),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('method_setups')
            .select('method_setups.id')
            .whereRef('method_setups.session_id', '=', 'checkouts.id')
            .where('method_setups.state', '<>', 'DONE'),
        ),
      ),
    )
    .orderBy('expires')
    .limit(limit)
    .execute()
}

/** Deletes sessions and detaches their attempts, which are kept. */
export async function deleteCheckouts(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('attempts')
    .set({ checkout_id: null })
    .where('checkout_id', 'in', ids)
    .execute()
  await tx.deleteFrom('checkouts').where('id', 'in', ids).execute()
}
