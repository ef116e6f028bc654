import type { Selectable } from 'kysely'
import type { CheckoutRecord } from '../../../shared/schemas/checkout-record.ts'

export interface CheckoutsTable {
  id: string
  instance_id: string
  /** Null on a deep link until the first submit stores the payment link of the session. */
  payment_link_id: string | null
  deep_link_id: string | null
  /** JSON: what the address of a deep link filled in; null for nothing. */
  prefill: string | null
  /** SHA-256 of the secret half of the token, base64url. The other half is the session's id. */
  token_hash: string
  status: 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'PENDING' | 'EXPIRED' | 'ABANDONED'
  merchant: string
  language: string
  branding: string | null
  timezone: string | null
  bundle: string
  options_v: number
  /** JSON of the charges and amounts that the payer was shown; null when the link names no charges. */
  charges: string | null
  account_id: string | null
  amount: number | null
  /** Of the last attempt, where the payer chooses how many. */
  quantity: number | null
  currency: string | null
  alt_key: string | null
  description: string | null
  payer_comment: string | null
  embedded_origin: string | null
  /** Truncated client address of the last submit; null if unknown. */
  network: string | null
  milestones: string
  /** Whom a payment will belong to; null if there is none, or until a submit decides. */
  legal_entity_id: string | null
  /** What the page shows of it: a key of `legal_entity_versions`. */
  legal_entity_version: string | null
  /** The only connection that may take the payment; null for any. */
  processor_id: string | null
  /** The link's channel when the session was opened. */
  channel: string | null
  /** Of the payment, or else of the last attempt; null before the first. */
  method_type: string | null
  processor: string | null
  /** Flag: an attempt was declined. */
  declined: number
  /** Flag: its deep link is for one customer, so that counts do not name the link. */
  personal: number
  expires: string
  created: string
  updated: string
  v: number
}

export type CheckoutRow = Selectable<CheckoutsTable>

/** A session with the hash of its bundle. */
export interface CheckoutWithBundle extends CheckoutRow {
  /** SHA-256, hex; null after the bundle was deleted. */
  strings_hash: string | null
}

/** A session with its payment attempts. */
export interface CheckoutWithHistory extends CheckoutWithBundle {
  /** Oldest first. */
  attempts: CheckoutRecord['attempts']
  /** The payer's input of the newest attempt, as JSON. */
  payer_details: string | null
}

/** The JSON in `checkouts.milestones`: instants by name. */
export type CheckoutMilestones = Partial<
  Record<'details_done' | 'method_chosen' | 'submitted' | 'challenged' | 'completed', string>
>
