import { reserveOnCharge } from '../charges/allocations.ts'
import { lockCharges } from '../charges/update-charge.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import type { Tx } from '../db/tables.ts'
import { ApiError, invalid } from '../errors.ts'
import { chargeIds, type Part } from './parts.ts'

/**
 * Reserves the parts of a payment on their charges before the processor is called. Throws a 400 ApiError
 * that names the part within `member`, such as `payment.parts`, when one cannot be paid. `now` is epoch
 * milliseconds.
 */
export async function reserveParts(
  tx: Tx,
  payment: PaymentRow,
  parts: readonly Part[],
  { member, now }: { member: string; now: number },
): Promise<void> {
  await lockCharges(tx, payment.instance_id, chargeIds(parts))
  for (const [at, part] of parts.entries()) {
    await reservePart(tx, payment, part, { member: `${member}.${at}`, now })
  }
}

async function reservePart(
  tx: Tx,
  payment: PaymentRow,
  part: Part,
  { member, now }: { member: string; now: number },
): Promise<void> {
  try {
    await reserveOnCharge(tx, payment.instance_id, {
      chargeId: part.charge,
      amount: part.amount,
      currency: payment.currency,
      accountId: payment.account_id,
      member,
      now,
    })
  } catch (error) {
    // An unknown charge is an invalid member here: a 404 would mean the payment's own path.
    const isUnknown = error instanceof ApiError && error.type === 'NOT_FOUND'
    throw isUnknown ? invalid(`${member}.charge`, 'does not exist') : error
  }
}
