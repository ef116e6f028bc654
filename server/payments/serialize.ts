import type { PartRow, PaymentRow, TransactionRow } from '../db/tables/payments.ts'
import { amountText } from '../../shared/rules/currency.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Payment } from '../../shared/schemas/payment.ts'
import type { GatewayStatus, Transaction } from '../../shared/schemas/transaction.ts'
import { fromJson } from '../db/json.ts'
import { serializePayer } from './serialize-payer.ts'

/** `now` is epoch milliseconds: an expired authorization has no open amount. */
export function serializePayment(row: PaymentRow, parts: readonly PartRow[], now: number): Payment {
  const text = (minor: number) => amountText(minor, row.currency)
  const isAuth = row.type === 'AUTH'
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    amount: text(row.amount),
    currency: row.currency,
    quantity: row.quantity,
    unit_amount: row.unit_amount === null ? null : text(row.unit_amount),
    captured_amount: isAuth ? text(row.captured_amount) : null,
    open_amount: isAuth ? text(openAmount(row, now)) : null,
    refunded_amount: isAuth ? null : text(refundedAmount(row)),
    disputed_amount: isAuth ? null : text(row.disputed_amount),
    refundable_amount: isAuth ? null : text(refundableAmount(row)),
    fee_amount: feeText(row.fee_amount, row),
    net_amount: feeText(row.net_amount, row),
    fee_currency: row.fee_currency,
    surplus: row.surplus === 1,
    authorisation: row.authorisation_id,
    alt_key: row.alt_key,
    description: row.description,
    payer: serializePayer(row.payer_details),
    payer_comment: row.payer_comment,
    reference: row.reference,
    source: row.source,
    channel: row.channel,
    metadata: fromJson<Payment['metadata']>(row.metadata) ?? {},
    account: row.account_id,
    contract: row.contract_id,
    charge: row.charge_id,
    legal_entity: row.legal_entity_id,
    payment_link: row.payment_link_id,
    payment_method: row.payment_method_id,
    transaction: row.transaction_id,
    parts: parts.map((part) => ({ charge: part.charge_id, amount: text(part.amount) })),
    gateway_status: row.gateway_status as GatewayStatus | null,
    gateway_message: row.gateway_message,
    gateway_reference: row.gateway_reference,
    retry_advice: row.retry_advice,
    risk_review: row.risk_review === 1,
    three_ds: fromJson<Payment['three_ds']>(row.three_ds),
    due: row.due,
    processed: row.processed,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}

/** Returns what can still be captured or voided, in minor units; 0 after the authorization expired. */
export function openAmount(row: PaymentRow, now: number): number {
  const ended = row.authorised_until !== null && row.authorised_until <= formatInstant(now)
  if (row.type !== 'AUTH' || row.status !== 'SUCCESS' || ended) return 0
  return row.amount - row.captured_amount - row.released_amount
}

/** Returns whether the processor has taken the money, which may have arrived after a decline. */
export function isTaken({ status, surplus }: Pick<PaymentRow, 'status' | 'surplus'>): boolean {
  return status === 'SUCCESS' || surplus === 1
}

/** Returns minor units. */
export function refundableAmount(row: PaymentRow): number {
  if (row.type === 'AUTH' || !isTaken(row)) return 0
  // A dispute may cover the whole amount although a part was refunded.
  return Math.max(0, row.amount - refundedAmount(row) - row.disputed_amount)
}

/**
 * Returns minor units. Refunds made at the processor count, and may exceed the payment together with
 * one of ours that the processor then declines.
 */
export function refundedAmount(row: PaymentRow): number {
  return Math.min(row.amount, row.refunded_amount + row.external_refund_amount)
}

function feeText(minor: number | null, { fee_currency }: PaymentRow): string | null {
  return minor === null || fee_currency === null ? null : amountText(minor, fee_currency)
}

export function serializeTransaction(row: TransactionRow): Transaction {
  return {
    id: row.id,
    type: row.type,
    payment: row.payment_id,
    amount: amountText(row.amount, row.currency),
    currency: row.currency,
    status: row.status,
    gateway: row.processor,
    gateway_reference: row.gateway_reference,
    gateway_status: row.gateway_status as GatewayStatus | null,
    gateway_message: row.gateway_message,
    processor: row.processor,
    account: row.account_id,
    contract: row.contract_id,
    charge: row.charge_id,
    payment_method: row.payment_method_id,
    processed: row.processed,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
