import { type ExpressionBuilder, sql } from 'kysely'
import type { PaymentMethodRow } from '../db/rows.ts'
import type { PaymentMethod } from '../../shared/schemas/payment-method.ts'
import { PAYMENT_METHOD_ID } from '../../shared/rules/ids.ts'
import { listInOrder } from '../db/batches.ts'
import { withRowLock } from '../db/row-locks.ts'
import type { Db, Tables, Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'
import { paymentMethodStatus } from './filters.ts'
import { serializePaymentMethod } from './serialize.ts'

/** A method with its status by the clock: only an ACTIVE one may be charged. */
export interface PaymentMethodWithStatus extends PaymentMethodRow {
  status_at: PaymentMethodRow['status']
}

/** A method with what the clock and the account's other methods make of it. */
export interface PaymentMethodState extends PaymentMethodWithStatus {
  is_default: number | boolean | null
}

/**
 * Stores a method, or updates the one that its account has for the same card or bank account: its
 * details, the processor's token, and the consent where the stored one was for one payment only. One
 * statement decides, so that two payments at once never store two. Returns the row as it is now;
 * another id than that of `row` says that it was updated.
 */
export async function upsertPaymentMethod(
  tx: Tx,
  row: PaymentMethodRow,
): Promise<PaymentMethodRow> {
  return tx
    .insertInto('payment_methods')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['instance_id', 'account_id', 'processor', 'dedupe_key'])
        .doUpdateSet((eb) => {
          const given = <Column extends keyof PaymentMethodRow>(column: Column) =>
            eb.ref(`excluded.${column}`)
          const stored = <Column extends keyof PaymentMethodRow>(column: Column) =>
            eb.ref(`payment_methods.${column}`)
          // Some processors do not repeat what they know of a card.
          const known = <Column extends keyof PaymentMethodRow>(column: Column) =>
            eb.fn.coalesce(given(column), stored(column))
          const isWidened = eb(given('reusable'), '>', stored('reusable'))
          const widened = <Column extends keyof PaymentMethodRow>(column: Column) =>
            eb.case().when(isWidened).then(given(column)).else(stored(column)).end()
          return {
            brand: known('brand'),
            last4: known('last4'),
            exp_month: known('exp_month'),
            exp_year: known('exp_year'),
            funding: known('funding'),
            country: known('country'),
            processor_token: given('processor_token'),
            consent: widened('consent'),
            reusable: widened('reusable'),
            updated: given('updated'),
            v: sql<number>`payment_methods.v + 1`,
          }
        }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A method of this instance as the API shows it at `now` (epoch ms); 404 otherwise. */
export async function getPaymentMethod(
  db: Db | Tx,
  instanceId: string,
  id: string,
  now: number,
): Promise<PaymentMethod> {
  const [row] = PAYMENT_METHOD_ID.test(id)
    ? await listPaymentMethodsByIds(db, instanceId, [id], now)
    : []
  if (!row) throw notFound('Payment method')
  return serializePaymentMethod(row)
}

/** A method of this instance with its status at `now` (epoch ms). */
export async function findPaymentMethod(
  db: Db | Tx,
  instanceId: string,
  id: string,
  now: number,
): Promise<PaymentMethodWithStatus | undefined> {
  if (!PAYMENT_METHOD_ID.test(id)) return undefined
  return db
    .selectFrom('payment_methods')
    .selectAll()
    .select(paymentMethodStatus(now).as('status_at'))
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

/**
 * Reads a method with its status at `now` (epoch ms) and keeps it from being removed or updated until
 * the transaction ends. Other transactions may hold it too.
 */
export async function lockPaymentMethod(
  tx: Tx,
  instanceId: string,
  id: string,
  now: number,
): Promise<PaymentMethodWithStatus | undefined> {
  if (!PAYMENT_METHOD_ID.test(id)) return undefined
  return tx
    .selectFrom('payment_methods')
    .selectAll()
    .select(paymentMethodStatus(now).as('status_at'))
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .$call(withRowLock(tx, 'share'))
    .executeTakeFirst()
}

/** Methods of this instance by their ids, in no order; unknown ids are left out. */
export async function listPaymentMethodsByIds(
  db: Db | Tx,
  instanceId: string,
  ids: readonly string[],
  now: number,
): Promise<PaymentMethodState[]> {
  return db
    .selectFrom('payment_methods')
    .selectAll()
    .select((eb) => stateAt(eb, now))
    .where('id', 'in', ids)
    .where('instance_id', '=', instanceId)
    .execute()
}

/** The methods of this instance in the order of their ids, as they are at `now` (epoch ms). */
export async function listPaymentMethodsInOrder(
  db: Db,
  instanceId: string,
  ids: readonly string[],
  now: number,
): Promise<PaymentMethodState[]> {
  return listInOrder(ids, (batch) => listPaymentMethodsByIds(db, instanceId, batch, now))
}

/**
 * The ids on one page of an instance's methods, and how many match in all: what other methods say
 * is looked up for these alone.
 */
export function listPaymentMethods(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<{ id: string }>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('payment_methods')
      .select('id')
      .where('instance_id', '=', instanceId)
      .where(list.where),
  )
}

/** The methods of an account that may be offered again at `now` (epoch ms), newest first. */
export async function listReusablePaymentMethods(
  db: Db | Tx,
  instanceId: string,
  accountId: string,
  now: number,
): Promise<PaymentMethodRow[]> {
  return db
    .selectFrom('payment_methods')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('account_id', '=', accountId)
    .where(paymentMethodStatus(now), '=', 'ACTIVE')
    .where('reusable', '=', 1)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
}

/** Marks a method as removed, once: false when it was before, or is unknown to this instance. */
export async function markPaymentMethodRemoved(
  tx: Tx,
  instanceId: string,
  id: string,
  now: string,
): Promise<boolean> {
  if (!PAYMENT_METHOD_ID.test(id)) return false
  const removed = await tx
    .updateTable('payment_methods')
    .set({ status: 'REMOVED', dedupe_key: null, updated: now, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .where('status', '!=', 'REMOVED')
    .returning('id')
    .executeTakeFirst()
  return removed !== undefined
}

/** The status by the clock, and whether it is the one that its account would be offered first. */
function stateAt(eb: ExpressionBuilder<Tables, 'payment_methods'>, now: number) {
  const first = eb
    .selectFrom('payment_methods as newer')
    .select('newer.id')
    .whereRef('newer.instance_id', '=', 'payment_methods.instance_id')
    .whereRef('newer.account_id', '=', 'payment_methods.account_id')
    .where('newer.reusable', '=', 1)
    .where(paymentMethodStatus(now, 'newer'), '=', 'ACTIVE')
    .orderBy('newer.created', 'desc')
    .orderBy('newer.id', 'desc')
    .limit(1)
  return [
    paymentMethodStatus(now).as('status_at'),
    eb('payment_methods.id', '=', first).as('is_default'),
  ]
}
