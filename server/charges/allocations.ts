import { sql } from 'kysely'
import type { ChargeRow } from '../db/tables/charges.ts'
import { amountText } from '../../shared/rules/currency.ts'
import { CHARGE_ID } from '../../shared/rules/ids.ts'
import { invalid, notFound, type ApiError, invalidState } from '../errors.ts'
import type { Tx } from '../db/tables.ts'
import { outstanding } from './serialize.ts'
import { findCharge, updateCharge } from './store.ts'
import { type LockedCharge, lockWithContract, updateChargeAndRecord } from './update-charge.ts'

/**
 * Reserves an amount of a charge for a payment before its processor is called, so that no other
 * payment can pay the same amount. Amounts are in minor units of the charge's currency. Throws a 404
 * ApiError for an unknown charge, and a 400 ApiError that names `member` for another currency or
 * account, for a charge that is not active, and for more than is outstanding and not reserved.
 */
export async function reserveOnCharge(
  tx: Tx,
  instanceId: string,
  part: {
    chargeId: string
    amount: number
    currency: string
    accountId: string | null
    /** The member of the request, such as `payment.parts.0`. */
    member: string
    now: number
  },
): Promise<ChargeRow> {
  if (!CHARGE_ID.test(part.chargeId)) throw notFound('Charge')
  // A reservation is not part of the API's record, so `v` stays.
  const reserved = await tx
    .updateTable('charges')
    .set({ in_flight_amount: sql<number>`in_flight_amount + ${part.amount}` })
    .where('id', '=', part.chargeId)
    .where('instance_id', '=', instanceId)
    .where('status', '=', 'ACTIVE')
    .where('cancelling', '=', 0)
    .where('currency', '=', part.currency)
    .where((eb) =>
      eb.or([eb('account_id', 'is', null), eb('account_id', '=', part.accountId ?? '')]),
    )
    .where(sql`amount - paid_amount - in_flight_amount`, '>=', part.amount)
    .returningAll()
    .executeTakeFirst()
  if (reserved) return reserved
  throw allocationError(await findCharge(tx, instanceId, part.chargeId), part)
}

function allocationError(
  charge: ChargeRow | undefined,
  part: { currency: string; accountId: string | null; member: string },
): ApiError {
  if (!charge) return notFound('Charge')
  if (charge.currency !== part.currency) {
    return invalid(`${part.member}.charge`, `is in ${charge.currency}, not in ${part.currency}`)
  }
  if (charge.account_id !== null && charge.account_id !== part.accountId) {
    return invalid(`${part.member}.charge`, 'belongs to another account')
  }
  if (charge.status !== 'ACTIVE') {
    return invalidState(`${part.member}.charge is ${charge.status} and cannot be paid`)
  }
  if (charge.cancelling === 1) {
    return invalidState(`${part.member}.charge belongs to a cancelled contract`)
  }
  const text = (minor: number) => `${amountText(minor, charge.currency)} ${charge.currency}`
  const remaining = text(outstanding(charge) - charge.in_flight_amount)
  const more =
    charge.in_flight_amount === 0
      ? ''
      : `, because ${text(charge.in_flight_amount)} is being paid right now`
  return invalidState(`${part.member}.amount must be at most ${remaining}${more}`)
}

/**
 * Settles a reserved part. PAID counts as paid, even on a charge that was written off meanwhile, and
 * the charge becomes PAID when nothing is outstanding. NOT_PAID releases the reservation; after a
 * declined collection `scheduleRetry` plans the next one. The unpaid rest of a charge whose contract
 * was canceled meanwhile is canceled. Returns the charge as it is now.
 */
export async function settleAllocation(
  tx: Tx,
  part: {
    instanceId: string
    chargeId: string
    amount: number
    outcome: 'PAID' | 'NOT_PAID'
    paymentId: string
    /** The link by which the payment was made. */
    paymentLinkId: string | null
    now: number
  },
): Promise<ChargeRow> {
  const locked = await lockById(tx, part)
  const in_flight_amount = locked.charge.in_flight_amount - part.amount
  if (in_flight_amount < 0)
    throw new Error(`charge ${part.chargeId} has less than ${part.amount} reserved`)
  const paid =
    part.outcome === 'PAID'
      ? {
          paid_amount: locked.charge.paid_amount + part.amount,
          last_payment_id: part.paymentId,
          ...(part.paymentLinkId !== null && { payment_link_id: part.paymentLinkId }),
        }
      : {}
  const change = { in_flight_amount, ...paid }
  const closing = closingChange({ ...locked.charge, ...change })
  if (part.outcome === 'PAID' || closing) {
    return updateChargeAndRecord(tx, locked, { ...change, ...closing }, { now: part.now })
  }
  await updateCharge(tx, part.chargeId, change)
  return { ...locked.charge, ...change }
}

function closingChange(charge: ChargeRow): Partial<ChargeRow> | undefined {
  if (charge.status === 'PAID' || charge.status === 'CANCELLED') return undefined
  if (outstanding(charge) === 0) {
    return { status: 'PAID', next_attempt: null, retry_advice: null, cancelling: 0 }
  }
  const cancels = charge.cancelling === 1 && charge.in_flight_amount === 0
  return cancels && charge.status === 'ACTIVE'
    ? { status: 'CANCELLED', next_attempt: null, cancelling: 0 }
    : undefined
}

/**
 * Adds to the refunded amount of a charge; a negative amount reverts a refund that was declined. A
 * refunded amount is not owed again, so the status stays.
 */
export async function refundAllocation(
  tx: Tx,
  part: { instanceId: string; chargeId: string; amount: number; now: number },
): Promise<void> {
  const locked = await lockById(tx, part)
  const refunded_amount = locked.charge.refunded_amount + part.amount
  await updateChargeAndRecord(tx, locked, { refunded_amount }, { now: part.now })
}

/** Takes back what a bank has returned. It is owed again, so a paid charge becomes ACTIVE. */
export async function returnAllocation(
  tx: Tx,
  part: { instanceId: string; chargeId: string; amount: number; now: number },
): Promise<void> {
  const locked = await lockById(tx, part)
  const { paid_amount, status } = locked.charge
  const change = { paid_amount: paid_amount - part.amount }
  const reopened = status === 'PAID' ? { status: 'ACTIVE' as const } : {}
  await updateChargeAndRecord(tx, locked, { ...change, ...reopened }, { now: part.now })
}

async function lockById(
  tx: Tx,
  { instanceId, chargeId }: { instanceId: string; chargeId: string },
): Promise<LockedCharge> {
  const read = await findCharge(tx, instanceId, chargeId)
  if (!read) throw notFound('Charge')
  return lockWithContract(tx, read)
}
