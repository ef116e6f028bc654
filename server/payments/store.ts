import { sql, type Updateable } from 'kysely'
import type {
  PartRow,
  PaymentRow,
  TransactionRow,
  PaymentsTable,
  TransactionsTable,
} from '../db/tables/payments.ts'
import type { Payment } from '../../shared/schemas/payment.ts'
import { batchesOf } from '../db/batches.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Db, Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'
import { serializePayment } from './serialize.ts'

export const insertPayment = compiledQuery((db: Db, row: PaymentRow) =>
  db.insertInto('payments').values(row),
)

export const insertTransaction = compiledQuery((db: Db, row: TransactionRow) =>
  db.insertInto('transactions').values(row),
)

export async function insertParts(tx: Tx, parts: readonly PartRow[]): Promise<void> {
  if (parts.length > 0)
    await tx
      .insertInto('payment_parts')
      .values([...parts])
      .execute()
}

/** Detaches a payment from its charges, none of which it has paid. */
export async function deleteParts(tx: Tx, paymentId: string): Promise<void> {
  await tx.deleteFrom('payment_parts').where('payment_id', '=', paymentId).execute()
}

export async function findPaymentRow(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<PaymentRow | undefined> {
  return (await selectPayment(db, { instanceId, id })).rows[0]
}

const selectPayment = compiledQuery(
  (db: Db, { instanceId, id }: { instanceId: string; id: string }) =>
    db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', id)
      .where('instance_id', '=', instanceId),
)

export async function getPaymentRow(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<PaymentRow> {
  const row = await findPaymentRow(db, instanceId, id)
  if (!row) throw notFound('Payment')
  return row
}

/** Returns the API's record. `now` is epoch milliseconds. */
export async function getPayment(
  db: Db | Tx,
  instanceId: string,
  id: string,
  now: number,
): Promise<Payment> {
  const [record] = await serializePayments(db, [await getPaymentRow(db, instanceId, id)], now)
  return record as Payment
}

/** Reads the parts of all rows at once. */
export async function serializePayments(
  db: Db | Tx,
  rows: readonly PaymentRow[],
  now: number,
): Promise<Payment[]> {
  const parts = Map.groupBy(
    await listParts(
      db,
      rows.map(({ id }) => id),
    ),
    (part) => part.payment_id,
  )
  return rows.map((row) => serializePayment(row, parts.get(row.id) ?? [], now))
}

/** Returns each payment's parts in the order of its request. */
export async function listParts(db: Db | Tx, paymentIds: readonly string[]): Promise<PartRow[]> {
  const found: PartRow[] = []
  for (const batch of batchesOf(paymentIds)) {
    found.push(...(await selectParts(db, { batch })).rows)
  }
  return found
}

const selectParts = compiledQuery((db: Db, { batch }: { batch: readonly string[] }) =>
  db
    .selectFrom('payment_parts')
    .selectAll()
    .where('payment_id', 'in', batch)
    .orderBy('payment_id')
    .orderBy('position'),
)

export function listPayments(
  turn: ListTurn,
  instanceId: string,
  types: readonly PaymentRow['type'][],
  list: ListQuery,
): Promise<Page<PaymentRow>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('payments')
      .selectAll()
      .where('instance_id', '=', instanceId)
      .where('type', 'in', [...types])
      .where(list.where),
  )
}

export async function findTransaction(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<TransactionRow | undefined> {
  return db
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

/** Keeps everybody else from writing a payment until the transaction ends. */
export async function lockPayment(tx: Tx, id: string): Promise<void> {
  await lockRow(tx, 'payments', id)
}

/** The caller has locked the payment or its attempt. */
export async function updatePayment(
  tx: Tx,
  id: string,
  change: Updateable<PaymentsTable>,
): Promise<PaymentRow> {
  const [row] = (await updatePaymentRow(tx, { ...change, id })).rows
  if (!row) throw new Error(`there is no payment ${id}`)
  return row
}

const updatePaymentRow = compiledQuery(
  (db: Db, { id, ...change }: Updateable<PaymentsTable> & { id: string }) =>
    db
      .updateTable('payments')
      .set({ ...change, v: sql<number>`v + 1` })
      .where('id', '=', id)
      .returningAll(),
)

/** Whether a payment counts as that of its link is internal, and changes without a new version. */
export async function markSetAside(tx: Tx, id: string, isSetAside: boolean): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ set_aside: isSetAside ? 1 : 0 })
    .where('id', '=', id)
    .execute()
}

/**
 * Compare-and-set on `v`. Returns undefined when the payment was written since it was read. Every
 * amount with a limit is reserved this way.
 */
export async function updatePaymentIfUnchanged(
  tx: Tx,
  read: PaymentRow,
  change: Updateable<PaymentsTable>,
): Promise<PaymentRow | undefined> {
  return tx
    .updateTable('payments')
    .set({ ...change, v: read.v + 1 })
    .where('id', '=', read.id)
    .where('v', '=', read.v)
    .returningAll()
    .executeTakeFirst()
}

/** Counts all that is not captured as released, because the processor has released it. */
export async function releaseRemainder(tx: Tx, id: string, now: string): Promise<void> {
  await tx
    .updateTable('payments')
    .set({
      released_amount: sql<number>`amount - captured_amount`,
      updated: now,
      v: sql<number>`v + 1`,
    })
    .where('id', '=', id)
    .execute()
}

/** Subtracts the amount of a failed operation from the sum in which it was reserved. */
export async function releaseAmount(
  tx: Tx,
  id: string,
  from: { sum: 'captured_amount' | 'released_amount' | 'refunded_amount'; amount: number },
  now: string,
): Promise<PaymentRow> {
  return tx
    .updateTable('payments')
    .set({
      [from.sum]: sql<number>`${sql.ref(from.sum)} - ${from.amount}`,
      updated: now,
      v: sql<number>`v + 1`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateTransaction(
  tx: Tx,
  id: string,
  change: Updateable<TransactionsTable>,
): Promise<void> {
  await updateTransactionRow(tx, { ...change, id })
}

const updateTransactionRow = compiledQuery(
  (db: Db, { id, ...change }: Updateable<TransactionsTable> & { id: string }) =>
    db
      .updateTable('transactions')
      .set({ ...change, v: sql<number>`v + 1` })
      .where('id', '=', id),
)
