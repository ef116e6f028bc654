import { type ExpressionBuilder, sql } from 'kysely'
import type { PaymentMethodRow } from '../db/tables/payment-methods.ts'
import { PAYMENT_METHOD_ID } from '../../shared/rules/ids.ts'
import { listInOrder } from '../db/batches.ts'
import { withRowLock } from '../db/row-locks.ts'
import type { Db, Tables, Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { type ApiError, notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'
import { paymentMethodStatus } from './filters.ts'

/** `status_at` is the status at the time of the query. Only an ACTIVE method may be charged. */
export interface PaymentMethodWithStatus extends PaymentMethodRow {
  status_at: PaymentMethodRow['status']
}

export interface PaymentMethodState extends PaymentMethodWithStatus {
  is_default: number | boolean | null
}

/**
 * Inserts a method, or updates the account's method for the same card or bank account. The update sets
 * the details and the processor's token, and the consent when the stored one covers a single payment.
 * One statement, so that concurrent payments store one method. Returns the stored row, which has
 * another id than `row` after an update.
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
          const inserted = <Column extends keyof PaymentMethodRow>(column: Column) =>
            eb.ref(`excluded.${column}`)
          const stored = <Column extends keyof PaymentMethodRow>(column: Column) =>
            eb.ref(`payment_methods.${column}`)
          // Some processors leave out details that they returned earlier.
          const merged = <Column extends keyof PaymentMethodRow>(column: Column) =>
            eb.fn.coalesce(inserted(column), stored(column))
          const isWidened = eb(inserted('reusable'), '>', stored('reusable'))
          const widened = <Column extends keyof PaymentMethodRow>(column: Column) =>
            eb.case().when(isWidened).then(inserted(column)).else(stored(column)).end()
          return {
            brand: merged('brand'),
            last4: merged('last4'),
            exp_month: merged('exp_month'),
            exp_year: merged('exp_year'),
            funding: merged('funding'),
            country: merged('country'),
            processor_token: inserted('processor_token'),
            consent: widened('consent'),
            reusable: widened('reusable'),
            updated: inserted('updated'),
            v: sql<number>`payment_methods.v + 1`,
          }
        }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the account's method for the same card or bank account as `row`, which `row` would update. */
export async function findSameMethod(
  tx: Tx,
  row: PaymentMethodRow,
): Promise<PaymentMethodRow | undefined> {
  return tx
    .selectFrom('payment_methods')
    .selectAll()
    .where('instance_id', '=', row.instance_id)
    .where('account_id', '=', row.account_id)
    .where('processor', '=', row.processor)
    .where('dedupe_key', '=', row.dedupe_key)
    .executeTakeFirst()
}

/** Returns a method with its state at `now` (epoch ms). Throws a 404 ApiError. */
export async function getPaymentMethod(
  db: Db | Tx,
  instanceId: string,
  id: string,
  now: number,
): Promise<PaymentMethodState> {
  const [row] = PAYMENT_METHOD_ID.test(id)
    ? await listPaymentMethodsByIds(db, instanceId, [id], now)
    : []
  if (!row) throw notFound('Payment method')
  return row
}

/** Finds a method with its status at `now` (epoch ms). */
export async function findPaymentMethod(
  db: Db | Tx,
  instanceId: string,
  id: string,
  now: number,
): Promise<PaymentMethodWithStatus | undefined> {
  if (!PAYMENT_METHOD_ID.test(id)) return undefined
  return selectMethod(db, instanceId, id, now).executeTakeFirst()
}

/** Finds a method with its status at `now` (epoch ms), under a shared row lock. */
export async function lockPaymentMethod(
  tx: Tx,
  instanceId: string,
  id: string,
  now: number,
): Promise<PaymentMethodWithStatus | undefined> {
  if (!PAYMENT_METHOD_ID.test(id)) return undefined
  return selectMethod(tx, instanceId, id, now).$call(withRowLock(tx, 'share')).executeTakeFirst()
}

function selectMethod(db: Db | Tx, instanceId: string, id: string, now: number) {
  return db
    .selectFrom('payment_methods')
    .selectAll()
    .select(paymentMethodStatus(now).as('status_at'))
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
}

/**
 * Locks a method as `lockPaymentMethod` does. Throws the result of `unusable` for a method that does not
 * exist or is not ACTIVE at `now` (epoch ms).
 */
export async function lockActivePaymentMethod(
  tx: Tx,
  instanceId: string,
  id: string,
  now: number,
  unusable: (method: PaymentMethodWithStatus | undefined) => ApiError,
): Promise<void> {
  const method = await lockPaymentMethod(tx, instanceId, id, now)
  if (method?.status_at !== 'ACTIVE') throw unusable(method)
}

/** Returns methods in no order. Unknown ids are left out. */
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

/** Returns methods in the order of `ids`, with their state at `now` (epoch ms). */
export async function listPaymentMethodsInOrder(
  db: Db,
  instanceId: string,
  ids: readonly string[],
  now: number,
): Promise<PaymentMethodState[]> {
  return listInOrder(ids, (batch) => listPaymentMethodsByIds(db, instanceId, batch, now))
}

/** Returns the ids of one page. `is_default` needs the account's other methods and is read later. */
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

/** Returns the methods to offer an account at `now` (epoch ms), newest first. */
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

/**
 * Returns the method as it is now; undefined for one that is unknown or removed already. `now` is a
 * date-time.
 */
export async function markPaymentMethodRemoved(
  tx: Tx,
  instanceId: string,
  id: string,
  now: string,
): Promise<PaymentMethodRow | undefined> {
  if (!PAYMENT_METHOD_ID.test(id)) return undefined
  return tx
    .updateTable('payment_methods')
    .set({ status: 'REMOVED', dedupe_key: null, updated: now, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .where('status', '!=', 'REMOVED')
    .returningAll()
    .executeTakeFirst()
}

/** Returns the method that a token of a processor charges. */
export async function findPaymentMethodByToken(
  tx: Tx,
  token: Pick<PaymentMethodRow, 'instance_id' | 'processor' | 'processor_token'>,
): Promise<PaymentMethodRow | undefined> {
  return tx
    .selectFrom('payment_methods')
    .selectAll()
    .where('instance_id', '=', token.instance_id)
    .where('processor', '=', token.processor)
    .where('processor_token', '=', token.processor_token)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst()
}

/** Selects the status and whether the account would be offered this method first. */
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
