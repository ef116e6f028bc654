import type { Selectable } from 'kysely'

export type PaymentStatus =
  | 'SUCCESS'
  | 'DECLINE'
  | 'PENDING'
  | 'SCHEDULED'
  | 'UNRESOLVED'
  | 'VOIDED'
  | 'CANCELLED'

export interface PaymentsTable {
  id: string
  instance_id: string
  type: 'PAYMENT' | 'AUTH' | 'CAPTURE'
  status: PaymentStatus
  amount: number
  currency: string
  /** Of a link on which the payer chooses how many. */
  quantity: number | null
  /** Price of one, in minor units. */
  unit_amount: number | null
  /** Of an authorization; includes captures in progress. */
  captured_amount: number
  /** Of an authorization: voided or released by a final capture; includes both in progress. */
  released_amount: number
  /** Includes refunds in progress. */
  refunded_amount: number
  /** Sum of disputes and returned debits that are open or lost. */
  disputed_amount: number
  /** Sum of the refunds that the merchant made at the processor. */
  external_refund_amount: number
  /** 1 while it does not count as the payment of its link, because its payer left it unfinished. */
  set_aside: number
  /** 1 for money that arrived when its link was paid already, or after a decline. */
  surplus: number
  /** Of a capture. */
  authorisation_id: string | null
  /** Of an authorization: when it expires. */
  authorised_until: string | null
  alt_key: string | null
  alt_key_folded: string | null
  alt_key_lower: string | null
  description: string | null
  payer_comment: string | null
  payer_details: string | null
  reference: string
  source: string
  channel: string | null
  channel_lower: string | null
  metadata: string
  account_id: string | null
  contract_id: string | null
  charge_id: string | null
  payment_link_id: string | null
  payment_method_id: string | null
  transaction_id: string | null
  gateway_status: string | null
  gateway_message: string | null
  gateway_reference: string | null
  three_ds: string | null
  /** JSON array of capabilities that the processor lacks for this payment; null for none. */
  unsupported: string | null
  /** What the processor kept, in minor units of `fee_currency`; null until it is known. */
  fee_amount: number | null
  net_amount: number | null
  fee_currency: string | null
  /** Of a declined payment: whether the method may be charged again; null without advice. */
  retry_advice: 'NEVER' | 'LATER' | 'WITH_PAYER' | null
  /** 1 if the processor advises to look at the payment before goods are sent. */
  risk_review: number
  /** Whom it belongs to; null while the instance has no legal entities. */
  legal_entity_id: string | null
  /** What the receipt shows of it: a key of `legal_entity_versions`. */
  legal_entity_version: string | null
  /** Of a scheduled payment. */
  due: string | null
  processed: string | null
  created: string
  updated: string
  v: number
}

export type PaymentRow = Selectable<PaymentsTable>

export interface TransactionsTable {
  id: string
  instance_id: string
  type: 'PAYMENT' | 'AUTH' | 'CAPTURE' | 'REFUND' | 'VOID'
  /** Id of a payment, capture, refund or void (`pay_`, `ca_`, `ref_`, `vo_`). */
  payment_id: string
  amount: number
  currency: string
  status: 'SUCCESS' | 'DECLINE' | 'PENDING' | 'UNRESOLVED'
  processor: string
  gateway_reference: string | null
  gateway_status: string | null
  gateway_message: string | null
  account_id: string | null
  contract_id: string | null
  charge_id: string | null
  payment_method_id: string | null
  created: string
  processed: string | null
  updated: string
  v: number
}

export type TransactionRow = Selectable<TransactionsTable>

/**
 * One operation at a processor. The row is durable before the processor is called; its id is the
 * idempotency key of the call.
 */
export interface AttemptsTable {
  id: string
  instance_id: string
  kind: 'PAY' | 'AUTHORISE' | 'CAPTURE' | 'REFUND' | 'VOID'
  /** The payment, authorization or capture that is created or, by a refund or void, reversed. */
  payment_id: string
  transaction_id: string
  refund_id: string | null
  void_id: string | null
  /** Null unless a payer started the operation. */
  payment_link_id: string | null
  checkout_id: string | null
  /** Key of one press of the pay button; unique within the checkout. */
  attempt_key: string | null
  /** Keyed digest of the submitted request, to recognize a repeat; null long after the session. */
  request_hash: string | null
  /** Opaque part of the return URL after a challenge. */
  handle: string | null
  returned: string | null
  processor: string
  /** Null for captures, refunds and voids. */
  method_type: string | null
  saved_method_id: string | null
  save: number
  reusable: number
  /** JSON of the consent text that the payer accepted, or null. */
  consent: string | null
  /**
   * What follows a success. RELEASED, VOID: the remainder of an authorization is released after a
   * capture, by the processor itself or by a void. REFUND: the payment is surplus and is refunded.
   * Null: nothing.
   */
  rest: 'RELEASED' | 'VOID' | 'REFUND' | null
  /** The version of the link's options that the payer agreed to; null unless a payer started it. */
  options_v: number | null
  /** 1 after the payer left a payment that cannot be ended, which has lost the link's claim. */
  set_aside: number
  state: 'SENT' | 'ACTION' | 'PENDING' | 'UNRESOLVED' | 'DONE'
  action_url: string | null
  /** Until when the payer can confirm, as the processor says. */
  action_expires: string | null
  /** String id of the message to the payer. */
  message_id: string | null
  method_brand: string | null
  method_last4: string | null
  /** When the processor is queried next; null once nothing is left to do. */
  next_check: string | null
  checks: number
  /** The process that sent the call, if other processes can check that it is alive. */
  owner: string | null
  /** 1 if the database was restored to a time before the outcome, so later changes are missing. */
  restored: number
  /** 1 if the processor has sent a notification since the last query. */
  noticed: number
  /** Why it was declined: a `DeclineCode`, or `ERROR`; null without a decline. */
  decline_code: string | null
  created: string
  updated: string
}

export type AttemptRow = Selectable<AttemptsTable>

/** Allocations of a payment to charges. */
export interface PaymentPartsTable {
  payment_id: string
  charge_id: string
  /** The part's index in the request. */
  position: number
  amount: number
  refunded_amount: number
  /** Returned by the bank after it was paid, so the charge is owed again. */
  returned_amount: number
}

export type PartRow = Selectable<PaymentPartsTable>
