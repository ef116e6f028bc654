import { sql } from 'kysely'
import type { ChargeRow } from '../db/rows.ts'
import { amountText } from '../../shared/rules/currency.ts'
import { CHARGE_ID } from '../../shared/rules/ids.ts'
import { invalid, notFound, type ApiError, invalidState } from '../errors.ts'
import type { Tx } from '../db/tables.ts'
import { outstanding } from './serialize.ts'
import { findCharge, updateCharge } from './store.ts'
import { type LockedCharge, lockWithContract, updateChargeAndRecord } from './update-charge.ts'

/**
 * Money for charges (contract sections 10.1 and 11). Before a processor is asked, the amount is
 * held on the charge, so that nobody else pays the same; when the processor has answered, it is
 * paid, or the room is given back. All amounts are in minor units of the charge's currency.
 */

/**
 * Holds a part of a payment on its charge. Throws a ApiError that names `member` when the charge is
 * unknown (404), is of another currency or account (400), or cannot take as much: it is not active,
 * or less than that is outstanding and not held by others (400, INVALID_STATE).
 */
export async function reserveOnCharge(
  tx: Tx,
  instanceId: string,
  part: {
    chargeId: string
    amount: number
    currency: string
    /** Who pays. */
    accountId: string | null
    /** What the request calls this part, such as `payment.parts.0`. */
    member: string
    now: number
  },
): Promise<ChargeRow> {
  if (!CHARGE_ID.test(part.chargeId)) throw notFound('Charge')
  // What is held is nobody's business but ours, so the record keeps its version.
  const held = await tx
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
  if (held) return held
  throw whyNot(await findCharge(tx, instanceId, part.chargeId), part)
}

function whyNot(
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
  const room = text(outstanding(charge) - charge.in_flight_amount)
  const more =
    charge.in_flight_amount === 0
      ? ''
      : `, because ${text(charge.in_flight_amount)} is being paid right now`
  return invalidState(`${part.member}.amount must be at most ${room}${more}`)
}

/**
 * Settles a part that was held. PAID counts as paid, also on a charge that was written off
 * meanwhile, and closes it when nothing is outstanding. NOT_PAID gives the room back; after a
 * declined collection `planRetry` says what comes next. What remains unpaid of a charge whose
 * contract was cancelled meanwhile is cancelled. Returns the charge as it is now.
 */
export async function settleAllocation(
  tx: Tx,
  part: {
    instanceId: string
    chargeId: string
    amount: number
    outcome: 'PAID' | 'NOT_PAID'
    paymentId: string
    now: number
  },
): Promise<ChargeRow> {
  const held = await holdById(tx, part)
  const in_flight_amount = held.charge.in_flight_amount - part.amount
  if (in_flight_amount < 0) throw new Error(`charge ${part.chargeId} does not hold ${part.amount}`)
  const paid =
    part.outcome === 'PAID'
      ? { paid_amount: held.charge.paid_amount + part.amount, last_payment_id: part.paymentId }
      : {}
  const change = { in_flight_amount, ...paid }
  const ending = endOf({ ...held.charge, ...change })
  if (part.outcome === 'PAID' || ending) {
    return updateChargeAndRecord(tx, held, { ...change, ...ending }, { now: part.now })
  }
  await updateCharge(tx, part.chargeId, change)
  return { ...held.charge, ...change }
}

/** What the amounts alone decide about a charge on which something was settled. */
function endOf(charge: ChargeRow): Partial<ChargeRow> | undefined {
  if (charge.status === 'PAID' || charge.status === 'CANCELLED') return undefined
  if (outstanding(charge) === 0) return { status: 'PAID', next_attempt: null, cancelling: 0 }
  const cancels = charge.cancelling === 1 && charge.in_flight_amount === 0
  return cancels && charge.status === 'ACTIVE'
    ? { status: 'CANCELLED', next_attempt: null, cancelling: 0 }
    : undefined
}

/**
 * Counts money of a charge as given back; a negative amount takes that back after a refund that
 * was declined. What was refunded is not owed again, so the status stays as it is.
 */
export async function refundAllocation(
  tx: Tx,
  part: { instanceId: string; chargeId: string; amount: number; now: number },
): Promise<void> {
  const held = await holdById(tx, part)
  const refunded_amount = held.charge.refunded_amount + part.amount
  await updateChargeAndRecord(tx, held, { refunded_amount }, { now: part.now })
}

async function holdById(
  tx: Tx,
  { instanceId, chargeId }: { instanceId: string; chargeId: string },
): Promise<LockedCharge> {
  const read = await findCharge(tx, instanceId, chargeId)
  if (!read) throw notFound('Charge')
  return lockWithContract(tx, read)
}
