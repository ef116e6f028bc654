import type { RefundRequest } from '../../shared/schemas/payment-request.ts'
import type { Tx } from '../db/tables.ts'
import { invalid } from '../errors.ts'
import { parseAmountMember } from './parse-request.ts'
import type { RefundParts } from './refunds.ts'
import type { PartRow, PaymentRow } from './store.ts'

/** Which charges a refund takes money back from (contract section 10.5). */

/**
 * The parts of a refund in minor units: the ones that are named, which must then make up the whole
 * amount, or the payment's own from the last to the first for as far as the amount goes. Throws a
 * 400 ApiError for a charge that the payment was not for, or for more than is left of its part.
 */
export function parseRefundParts(
  paid: readonly PartRow[],
  payment: PaymentRow,
  amount: number,
  named: RefundRequest['parts'],
): RefundParts {
  if (named == null) return spread(paid, amount)
  const parts = named.map((part, at) => {
    const member = `refund.parts.${at}`
    const own = paid.find((row) => row.charge_id === part.charge)
    if (!own) throw invalid(`${member}.charge`, 'is not one that the payment was for')
    const minor = parseAmountMember(`${member}.amount`, part.amount, payment.currency)
    if (minor > own.amount - own.refunded_amount) {
      throw invalid(`${member}.amount`, 'is more than is left of this part')
    }
    return { charge: part.charge, amount: minor }
  })
  if (parts.reduce((sum, part) => sum + part.amount, 0) !== amount) {
    throw invalid('refund.parts', 'must add up to the amount')
  }
  return parts
}

function spread(paid: readonly PartRow[], amount: number): RefundParts {
  let left = amount
  const parts: RefundParts = []
  for (const part of paid.toReversed()) {
    const taken = Math.min(left, part.amount - part.refunded_amount)
    if (taken > 0) parts.push({ charge: part.charge_id, amount: taken })
    left -= taken
  }
  return parts
}

export function reserveRefundParts(tx: Tx, paymentId: string, parts: RefundParts): Promise<void> {
  return changeParts(tx, paymentId, parts, 1)
}

export function releaseRefundParts(tx: Tx, paymentId: string, parts: RefundParts): Promise<void> {
  return changeParts(tx, paymentId, parts, -1)
}

async function changeParts(
  tx: Tx,
  paymentId: string,
  parts: RefundParts,
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
