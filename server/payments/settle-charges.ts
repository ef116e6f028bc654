import { settleAllocation } from '../charges/allocations.ts'
import { cancelContract } from '../charges/cancel-contract.ts'
import { scheduleRetry } from '../charges/collection-schedule.ts'
import { createUncollectedCharges } from '../charges/recurring-charges.ts'
import { outstanding } from '../charges/serialize.ts'
import { findCharge, listChargesByIds } from '../charges/store.ts'
import { lockCharges, lockEachCharge } from '../charges/update-charge.ts'
import { startContract } from '../contracts/update-contract.ts'
import type { AttemptRow, PartRow, PaymentRow } from '../db/tables/payments.ts'
import type { Tx } from '../db/tables.ts'
import { reserveParts } from './reserve-parts.ts'
import { syncScheduledPayment } from './schedule-payment.ts'
import { deleteParts, listParts } from './store.ts'

interface SettledCharges {
  attempt: AttemptRow
  payment: PaymentRow
  paid: boolean
  /** Epoch milliseconds. */
  now: number
}

/** Settles the charges, and starts or cancels the contract when this is its first payment. */
export async function settleCharges(tx: Tx, settled: SettledCharges): Promise<void> {
  const { attempt, payment, paid, now } = settled
  if (!hasReleasedParts(attempt, payment)) await settleParts(tx, settled)
  if (payment.charge_id === null) return
  const charge = await findCharge(tx, payment.instance_id, payment.charge_id)
  if (!charge) return
  // Only the scheduler counts attempts. A payment by request is not retried.
  const collected = charge.attempts > 0
  // After a restore the charge may have been collected already, so the merchant has to decide.
  if (collected && !paid && attempt.restored === 0) {
    await scheduleRetry(tx, charge.id, { advice: payment.retry_advice, now })
  }
  if (payment.contract_id === null || charge.contract_n !== 1 || collected) return
  if (!paid) await cancelContract(tx, payment.contract_id, now)
  else {
    const paymentMethodId = payment.payment_method_id
    await startContract(tx, payment.contract_id, { paymentMethodId, now })
    if (attempt.restored === 1) await createUncollectedCharges(tx, payment.contract_id, now)
  }
}

async function settleParts(
  tx: Tx,
  { payment, paid, now }: Omit<SettledCharges, 'attempt'>,
): Promise<void> {
  const parts = await listParts(tx, [payment.id])
  await lockCharges(tx, payment.instance_id, chargesOf(parts))
  for (const part of parts) {
    const charge = await settleAllocation(tx, {
      instanceId: payment.instance_id,
      chargeId: part.charge_id,
      amount: part.amount,
      outcome: paid ? 'PAID' : 'NOT_PAID',
      paymentId: payment.id,
      paymentLinkId: payment.payment_link_id,
      now,
    })
    await syncScheduledPayment(tx, charge, now)
  }
}

/**
 * Whether an attempt has given up its reservations: its payer has left it, and may pay the same charges
 * another way. The first charge of its own contract stays reserved, because nothing else pays it.
 */
function hasReleasedParts({ set_aside }: AttemptRow, { contract_id }: PaymentRow): boolean {
  return set_aside === 1 && contract_id === null
}

/** Gives up the reservations of an attempt that its payer has left. `now` is epoch milliseconds. */
export async function releaseLeftParts(tx: Tx, payment: PaymentRow, now: number): Promise<void> {
  if (payment.contract_id === null) await settleParts(tx, { payment, paid: false, now })
}

/**
 * Settles the charges of an attempt that was approved after its payer had left it. They are paid if `pay`
 * resolves to true, unless one of them was paid, changed or written off meanwhile, and then `pay` is not
 * called. A payment that pays none of them has no parts any more. Returns whether they are paid.
 */
export async function settleLeftCharges(
  tx: Tx,
  settled: Omit<SettledCharges, 'paid'>,
  pay: () => Promise<boolean>,
): Promise<boolean> {
  const { attempt, payment, now } = settled
  const parts = await listParts(tx, [payment.id])
  await lockEachCharge(tx, payment.instance_id, chargesOf(parts))
  const arePayable =
    !hasReleasedParts(attempt, payment) || (await canReserve(tx, payment.instance_id, parts))
  const paid = arePayable && (await pay())
  if (hasReleasedParts(attempt, payment)) {
    if (paid) {
      const again = parts.map(({ charge_id, amount }) => ({ charge: charge_id, amount }))
      await reserveParts(tx, payment, again, { member: 'charges', now })
      await settleParts(tx, { payment, paid, now })
    }
  } else await settleCharges(tx, { ...settled, paid })
  if (!paid) await deleteParts(tx, payment.id)
  return paid
}

async function canReserve(tx: Tx, instanceId: string, parts: readonly PartRow[]): Promise<boolean> {
  const charges = await listChargesByIds(tx, instanceId, chargesOf(parts))
  return parts.every(({ charge_id, amount }) => {
    const charge = charges.find(({ id }) => id === charge_id)
    if (charge?.status !== 'ACTIVE' || charge.cancelling === 1) return false
    return outstanding(charge) - charge.in_flight_amount >= amount
  })
}

function chargesOf(parts: readonly PartRow[]): string[] {
  return parts.map(({ charge_id }) => charge_id)
}
