import type { PaymentRow, PaymentsTable } from '../db/tables/payments.ts'
import { foldKey } from '../../shared/rules/fold-key.ts'
import { looksLikeId } from '../../shared/rules/ids.ts'
import { formatInstant, monthsBefore } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import { ApiError, notFound } from '../errors.ts'
import { findPaymentRow, findTransaction } from './store.ts'

/**
 * Finds the payment that a path means. An id is looked up as an id only; any other text is an
 * `alt_key`, which is not case-sensitive.
 */

const AMBIGUOUS_MONTHS = 6

type Type = PaymentsTable['type']

/** For reading: the newest payment, capture or authorization, failed ones included. */
export async function lookupPayment(
  db: Db,
  instanceId: string,
  idOrKey: string,
): Promise<PaymentRow> {
  const payment = looksLikeId(idOrKey)
    ? await byId(db, instanceId, idOrKey, ['PAYMENT', 'AUTH', 'CAPTURE'])
    : (await byKey(db, instanceId, idOrKey, ['PAYMENT', 'AUTH', 'CAPTURE']))[0]
  if (!payment) throw notFound('Payment')
  return payment
}

/**
 * For a refund: the newest payment or capture that did not fail. Throws DUPLICATE when another one with
 * the same key is less than six calendar months old.
 */
export async function lookupRefundablePayment(
  db: Db,
  instanceId: string,
  idOrKey: string,
  now: number,
): Promise<PaymentRow> {
  if (looksLikeId(idOrKey)) {
    const payment = await byId(db, instanceId, idOrKey, ['PAYMENT', 'CAPTURE'])
    if (!payment) throw notFound('Payment')
    return payment
  }
  const [newest, other] = await byKey(db, instanceId, idOrKey, ['PAYMENT', 'CAPTURE'], {
    alive: true,
  })
  if (!newest) throw notFound('Payment')
  const since = formatInstant(monthsBefore(now, AMBIGUOUS_MONTHS))
  if (other && other.created >= since) throw new ApiError('DUPLICATE', 'Duplicate alt_key')
  return newest
}

/** For a capture or void: the newest authorization with an open amount. */
export async function lookupAuthorization(
  db: Db,
  instanceId: string,
  idOrKey: string,
  now: number,
): Promise<PaymentRow> {
  const payment = looksLikeId(idOrKey)
    ? await byId(db, instanceId, idOrKey, ['AUTH'])
    : (await byKey(db, instanceId, idOrKey, ['AUTH'], { openAt: formatInstant(now) }))[0]
  if (!payment) throw notFound('Payment')
  return payment
}

async function byId(
  db: Db,
  instanceId: string,
  id: string,
  types: readonly Type[],
): Promise<PaymentRow | undefined> {
  const paymentId = id.startsWith('tr_')
    ? (await findTransaction(db, instanceId, id))?.payment_id
    : id
  if (paymentId === undefined || !/^(pay|ca)_/.test(paymentId)) return undefined
  const row = await findPaymentRow(db, instanceId, paymentId)
  // The transaction of a refund belongs to the refund, not to the payment.
  return row && types.includes(row.type) ? row : undefined
}

/** Returns the newest two, so that the caller can detect an ambiguous key. */
async function byKey(
  db: Db,
  instanceId: string,
  key: string,
  types: readonly Type[],
  only: { alive?: boolean; openAt?: string } = {},
): Promise<PaymentRow[]> {
  // PostgreSQL rejects a text with NUL, and no key contains one.
  if (key.includes('\0')) return []
  let query = db
    .selectFrom('payments')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('alt_key_folded', '=', foldKey(key))
    .where('type', 'in', [...types])
  if (only.alive) query = query.where('status', 'not in', ['DECLINE', 'CANCELLED'])
  if (only.openAt !== undefined) {
    const { openAt } = only
    query = query
      .where('status', '=', 'SUCCESS')
      .where((eb) =>
        eb(eb('captured_amount', '+', eb.ref('released_amount')), '<', eb.ref('amount')),
      )
      .where((eb) =>
        eb.or([eb('authorised_until', 'is', null), eb('authorised_until', '>', openAt)]),
      )
  }
  return query.orderBy('created', 'desc').orderBy('id', 'desc').limit(2).execute()
}
