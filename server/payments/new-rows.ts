import type { PaymentRow, TransactionRow } from '../db/tables/payments.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { foldedText } from '../db/fold-text.ts'
import { altKeyColumns } from '../db/key-columns.ts'
import { newId, newReference } from '../ids.ts'

/** A payment, authorization or capture without an outcome. `now` is epoch milliseconds. */
export function newPayment(
  columns: Pick<PaymentRow, 'instance_id' | 'type' | 'amount' | 'currency'> & Partial<PaymentRow>,
  now: number,
): PaymentRow {
  const created = formatInstant(now)
  return {
    id: newId(columns.type === 'CAPTURE' ? 'ca' : 'pay', now),
    status: 'PENDING',
    quantity: null,
    unit_amount: null,
    captured_amount: 0,
    released_amount: 0,
    refunded_amount: 0,
    disputed_amount: 0,
    external_refund_amount: 0,
    set_aside: 0,
    surplus: 0,
    authorisation_id: null,
    authorised_until: null,
    ...altKeyColumns(columns.alt_key),
    description: null,
    payer_comment: null,
    payer_details: null,
    reference: newReference(),
    source: 'ECOMMERCE',
    channel: null,
    channel_lower: foldedText(columns.channel),
    metadata: '{}',
    account_id: null,
    contract_id: null,
    charge_id: null,
    payment_link_id: null,
    payment_method_id: null,
    transaction_id: null,
    gateway_status: null,
    gateway_message: null,
    gateway_reference: null,
    three_ds: null,
    unsupported: null,
    fee_amount: null,
    net_amount: null,
    fee_currency: null,
    retry_advice: null,
    risk_review: 0,
    legal_entity_id: null,
    legal_entity_version: null,
    due: null,
    processed: null,
    created,
    updated: created,
    v: 1,
    ...columns,
  }
}

/** `owner` is the payment, capture or authorization that the operation belongs to. */
export function newTransaction(
  columns: Pick<TransactionRow, 'type' | 'payment_id' | 'processor' | 'amount'>,
  owner: Pick<
    PaymentRow,
    'instance_id' | 'currency' | 'account_id' | 'contract_id' | 'charge_id' | 'payment_method_id'
  >,
  now: number,
): TransactionRow {
  const created = formatInstant(now)
  return {
    id: newId('tr', now),
    instance_id: owner.instance_id,
    currency: owner.currency,
    account_id: owner.account_id,
    contract_id: owner.contract_id,
    charge_id: owner.charge_id,
    payment_method_id: owner.payment_method_id,
    status: 'PENDING',
    gateway_reference: null,
    gateway_status: null,
    gateway_message: null,
    created,
    processed: null,
    updated: created,
    v: 1,
    ...columns,
  }
}
