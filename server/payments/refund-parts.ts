import type { PartRow, PaymentRow } from '../db/tables/payments.ts'
import type { RefundRequest } from '../../shared/schemas/payment-request.ts'
import type { Tx } from '../db/tables.ts'
import { parseMinorUnits } from '../amount.ts'
import { invalid } from '../errors.ts'
import type { Part } from './parts.ts'

/**
 * Returns which charges a refund takes money back from, in minor units: the requested parts, which
 * must add up to the amount, or else the payment's parts from the last to the first. Throws a 400
 * ApiError for a charge that the payment was not for, and for more than is left of its part.
 */
export function parseRefundParts(
  paid: readonly PartRow[],
  payment: PaymentRow,
  amount: number,
  requested: RefundRequest['parts'],
): Part[] {
  if (requested == null) return allocateFromLast(paid, amount)
  const parts = requested.map((part, at) => {
    const member = `refund.parts.${at}`
    const paidPart = paid.find((row) => row.charge_id === part.charge)
    if (!paidPart) throw invalid(`${member}.charge`, 'is not a charge of the payment')
    const minor = parseMinorUnits(`${member}.amount`, part.amount, payment.currency)
    if (minor > refundableOf(paidPart)) {
      throw invalid(`${member}.amount`, 'exceeds the refundable amount of this part')
    }
    return { charge: part.charge, amount: minor }
  })
  if (parts.reduce((sum, part) => sum + part.amount, 0) !== amount) {
    throw invalid('refund.parts', 'must add up to the amount')
  }
  return parts
}

/** Takes an amount from the last part to the first, as far as they have it. */
export function allocateFromLast(paid: readonly PartRow[], amount: number): Part[] {
  let left = amount
  const parts: Part[] = []
  for (const part of paid.toReversed()) {
    const taken = Math.min(left, refundableOf(part))
    if (taken > 0) parts.push({ charge: part.charge_id, amount: taken })
    left -= taken
  }
  return parts
}

/** Returns what is neither refunded nor returned, in minor units. */
function refundableOf(part: PartRow): number {
  return part.amount - part.refunded_amount - part.returned_amount
}

export function reserveRefundParts(
  tx: Tx,
  paymentId: string,
  parts: readonly Part[],
): Promise<void> {
  return changeParts(tx, paymentId, parts, 1)
}

export function releaseRefundParts(
  tx: Tx,
  paymentId: string,
  parts: readonly Part[],
): Promise<void> {
  return changeParts(tx, paymentId, parts, -1)
}

async function changeParts(
  tx: Tx,
  paymentId: string,
  parts: readonly Part[],
  sign: 1 | -1,
): Promise<void> {
  for (const part of parts) {
    await tx
      .updateTable('payment_parts')
      .set((eb) => ({ refunded_amount: eb('refunded_amount', '+', sign * part.amount) }))
      .where('payment_id', '=', paymentId)
      .where('charge_id', '=', part.charge)
      .execute()
  }
}
