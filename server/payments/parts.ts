import type { PartRow, PaymentRow } from '../db/tables/payments.ts'

/** The amount of a payment or refund that is for one charge, in minor units. */
export interface Part {
  charge: string
  amount: number
}

export function chargeIds(parts: readonly Part[]): string[] {
  return parts.map(({ charge }) => charge)
}

/** Rows in the order of `parts`. */
export function newPartRows(payment: PaymentRow, parts: readonly Part[]): PartRow[] {
  return parts.map((part, position) => ({
    payment_id: payment.id,
    charge_id: part.charge,
    position,
    amount: part.amount,
    refunded_amount: 0,
    returned_amount: 0,
  }))
}
