import { sql, type Updateable } from 'kysely'
import type { CheckoutRow, LinkRow } from '../db/rows.ts'
import type { Strings } from '../../shared/rules/wording.ts'
import type { Bundle } from '../strings/bundle.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { CheckoutsTable, Db, PaymentLinksTable, Tx } from '../db/tables.ts'
import { literal } from '../db/partial-index.ts'
import { withRowLock } from '../db/row-locks.ts'
import { ofClock } from '../instances/test-clock-store.ts'
import { openInstanceOf } from '../instances/store.ts'

/** What happened in a session and when; feeds the merchant's view of it. */
export type Milestones = Partial<
  Record<'details_done' | 'method_chosen' | 'submitted' | 'challenged' | 'completed', string>
>

/**
 * Stores a new session; false when its link, which nobody had paid, was archived meanwhile. Whoever
 * archives the link while the transaction lasts waits for it, and closes the session too.
 */
export async function insertCheckout(tx: Tx, row: CheckoutRow): Promise<boolean> {
  return (await insert(tx, row)).numAffectedRows === 1n
}

const insert = compiledQuery((db: Db, row: CheckoutRow) => {
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
        // No more than what refers to the link takes anyway.
        .$call(withRowLock(db, 'key share')),
    )
})

export async function findCheckout(db: Db | Tx, id: string): Promise<CheckoutRow | undefined> {
  return (await selectById(db, { id })).rows[0]
}

const selectById = compiledQuery((db: Db, { id }: { id: string }) =>
  db.selectFrom('checkouts').selectAll().where('id', '=', id),
)

/** A session that must be there, because a row of ours refers to it. */
export async function getCheckout(db: Db | Tx, id: string): Promise<CheckoutRow> {
  const checkout = await findCheckout(db, id)
  if (!checkout) throw new Error(`there is no session ${id}`)
  return checkout
}

/**
 * Takes an open session for a submit, and holds it until the transaction ends. Undefined once it has
 * ended: what was told of it stays true.
 */
export async function lockOpenCheckout(tx: Tx, id: string): Promise<CheckoutRow | undefined> {
  return (await takeOpen(tx, { id })).rows[0]
}

const takeOpen = compiledQuery((db: Db, { id }: { id: string }) =>
  db
    .updateTable('checkouts')
    .set({ status: 'SUBMITTED' })
    .where('id', '=', id)
    .where('status', '=', 'OPEN')
    .returningAll(),
)

export async function updateCheckout(
  tx: Tx,
  id: string,
  change: Updateable<CheckoutsTable>,
): Promise<void> {
  await update(tx, { ...change, id })
}

const update = compiledQuery(
  (db: Db, { id, ...change }: Updateable<CheckoutsTable> & { id: string }) =>
    db
      .updateTable('checkouts')
      .set({ ...change, v: sql<number>`v + 1` })
      .where('id', '=', id),
)

/**
 * Open sessions that had run out at a moment, oldest first: of all instances whose clock was not moved,
 * or of the one whose clock was.
 */
export async function listExpired(
  db: Db,
  now: string,
  limit: number,
  moved?: string,
): Promise<CheckoutRow[]> {
  return db
    .selectFrom('checkouts')
    .selectAll()
    .where('status', '=', literal('OPEN'))
    .where('expires', '<=', now)
    .where(ofClock('checkouts.instance_id', moved))
    .orderBy('expires')
    .limit(limit)
    .execute()
}

/** Open sessions of one link. */
export async function listOpenOf(
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

/** Changes an open session that is still as it was read; false when it is not. */
export async function updateUntouched(
  tx: Tx,
  read: CheckoutRow,
  change: Updateable<CheckoutsTable>,
): Promise<boolean> {
  const result = await tx
    .updateTable('checkouts')
    .set({ ...change, v: read.v + 1 })
    .where('id', '=', read.id)
    .where('status', '=', 'OPEN')
    .where('v', '=', read.v)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Closes an open session that is still as it was read; false when it is not. */
export function closeCheckout(
  tx: Tx,
  read: CheckoutRow,
  status: CheckoutRow['status'],
  now: string,
): Promise<boolean> {
  return updateUntouched(tx, read, { status, updated: now })
}

/**
 * Sessions that ended, in whatever way, before a moment; oldest first. One with an operation that
 * has no outcome yet has not ended.
 */
export async function listEnded(
  db: Db,
  before: string,
  limit: number,
): Promise<Pick<CheckoutRow, 'id' | 'payment_link_id' | 'created'>[]> {
  return (
    db
      .selectFrom('checkouts')
      .select(['id', 'payment_link_id', 'created'])
      // In the words of the index of just these sessions, or it would not be used.
      .where(sql<boolean>`status in ('COMPLETED', 'EXPIRED', 'ABANDONED')`)
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
      .orderBy('expires')
      .limit(limit)
      .execute()
  )
}

/** Removes sessions that have ended; their attempts stay, and belong to no session any more. */
export async function deleteCheckouts(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('attempts')
    .set({ checkout_id: null })
    .where('checkout_id', 'in', ids)
    .execute()
  await tx.deleteFrom('checkouts').where('id', 'in', ids).execute()
}

/** Stores wording under its content's hash; the same wording is stored once. */
export async function storeBundle(db: Db | Tx, bundle: Bundle, now: string): Promise<void> {
  await db
    .insertInto('bundles')
    .values({ key: bundle.key, hash: bundle.hash, strings: bundle.json, used: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ used: now }))
    .execute()
}

/** The strings of a stored bundle; undefined once it was pruned. */
export async function findBundle(db: Db | Tx, key: string): Promise<Strings | undefined> {
  const row = await db
    .selectFrom('bundles')
    .select('strings')
    .where('key', '=', key)
    .executeTakeFirst()
  return row && (JSON.parse(row.strings) as Strings)
}

/** Removes the bundles on which no session was opened since a moment. */
export async function deleteBundles(db: Db, unusedSince: string): Promise<void> {
  await db.deleteFrom('bundles').where('used', '<', unusedSince).execute()
}

/**
 * Claims a link for one attempt. The one statement is the whole decision: it succeeds only for a
 * link that can be paid at `now`, under the terms that the payer has seen, and that nobody else is
 * paying. The answer is the link as it is inside the claim, or undefined.
 */
export async function claimLink(tx: Tx, wanted: Claim): Promise<LinkRow | undefined> {
  return (await claim(tx, wanted)).rows[0]
}

interface Claim {
  linkId: string
  attemptId: string
  optionsVersion: number
  now: string
}

const claim = compiledQuery((db: Db, wanted: Claim) =>
  db
    .updateTable('payment_links')
    .set({ claim: wanted.attemptId })
    .where('id', '=', wanted.linkId)
    .where('status', '=', 'ACTIVE')
    .where('archived', 'is', null)
    .where((eb) => eb.exists(openInstanceOf('payment_links.instance_id')))
    .where('options_v', '=', wanted.optionsVersion)
    .where((eb) => eb.or([eb('expires', 'is', null), eb('expires', '>', wanted.now)]))
    .where((eb) => eb.or([eb('claim', 'is', null), eb('claim', '=', wanted.attemptId)]))
    .returningAll(),
)

/**
 * Moves a link by the attempt that holds its claim; false when another one holds it. Money that was
 * received moves it whoever holds the claim: nothing may hide a payment that succeeded.
 */
export async function moveLink(
  tx: Tx,
  link: { id: string; attemptId: string; paid: boolean },
  change: Updateable<PaymentLinksTable>,
): Promise<boolean> {
  const claimant = link.paid ? undefined : link.attemptId
  return (await move(tx, { ...change, id: link.id, claimant })).numAffectedRows === 1n
}

const move = compiledQuery(
  (
    db: Db,
    values: Updateable<PaymentLinksTable> & { id: string; claimant?: string | undefined },
  ) => {
    const { id, claimant, ...change } = values
    const query = db
      .updateTable('payment_links')
      .set({ ...change, v: sql<number>`v + 1` })
      .where('id', '=', id)
    return claimant === undefined ? query : query.where('claim', '=', claimant)
  },
)
