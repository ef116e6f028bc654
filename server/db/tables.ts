import type { Kysely, Transaction } from 'kysely'
import type {
  LegalEntitiesTable,
  LegalEntityRoutesTable,
  LegalEntityVersionsTable,
} from './legal-entity-tables.ts'
import type {
  ProcessorConnectionsTable,
  ProcessorNoticesTable,
  ProcessorOperationsTable,
} from './processor-tables.ts'

/**
 * Times are ISO 8601 UTC with milliseconds (sorts as time), amounts are integer minor units of the
 * row's currency, flags are 0 or 1, and JSON is text because no query reads its members.
 */

export interface MerchantsTable {
  id: string
  name: string
  created: string
}

export interface InstancesTable {
  id: string
  merchant_id: string
  key: string
  name: string
  mode: 'TEST' | 'LIVE'
  default_currency: string
  timezone: string | null
  languages: string | null
  allowed_origins: string
  theme: string | null
  link_saved_methods: number
  brandings: string
  /** Incremented by every change of strings; invalidates cached bundles. */
  strings_version: number
  /** Incremented by every change of legal entities and their routes; 0 while there are none. */
  legal_entities_version: number
  created: string
  updated: string
  v: number
  /** When an operator disabled it; null while enabled. */
  disabled: string | null
  /** How far the test clock is ahead of real time; null if it was never moved. */
  clock_offset_ms: number | null
  /** Target of a test clock that is moving; null otherwise. */
  clock_target: string | null
}

export interface StringsTable {
  instance_id: string
  /** Empty for strings of the instance itself. */
  branding: string
  language: string
  id: string
  text: string
  created: string
  updated: string
}

export interface UsersTable {
  id: string
  merchant_id: string
  email: string
  email_folded: string
  /** argon2id in PHC string format. */
  password_hash: string
  created: string
  disabled: string | null
}

export interface SecretKeysTable {
  /** SHA-256, hex. The key itself is not stored. */
  hash: string
  instance_id: string
  prefix: string
  last4: string
  created: string
  revoked: string | null
  /** Accurate to about a minute. */
  last_used: string | null
}

export interface AccountsTable {
  id: string
  instance_id: string
  crm_key: string
  /** `*_folded`: result of `foldKey`, for unique indexes; null if the text is empty. */
  crm_key_folded: string
  email_folded: string | null
  /** `*_lower`, in every table: result of `fold`, for criteria; null if the text is empty. */
  first_name_lower: string | null
  last_name_lower: string | null
  company_lower: string | null
  email_lower: string | null
  phone_lower: string | null
  crm_key_lower: string | null
  crm_lower: string | null
  channel_lower: string | null
  division_lower: string | null
  tags_lower: string | null
  first_name: string | null
  last_name: string | null
  company: string | null
  email: string | null
  phone: string | null
  address: string | null
  metadata: string
  tags: string | null
  locale: string | null
  timezone: string | null
  channel: string | null
  division: string | null
  crm: string | null
  status: 'PENDING' | 'ACTIVE' | 'ARCHIVED'
  /** When what identifies the customer was removed; null if it was not. */
  anonymised: string | null
  /** JSON array of ids of links with its details, until it is removed from all tables; else null. */
  erasing: string | null
  last_transacted: string | null
  last_transaction_id: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

export interface PaymentMethodsTable {
  id: string
  instance_id: string
  account_id: string
  type: string
  brand: string | null
  last4: string | null
  exp_month: number | null
  exp_year: number | null
  funding: string | null
  country: string | null
  status: 'ACTIVE' | 'EXPIRED' | 'REMOVED'
  reusable: number
  consent: string
  processor: string
  processor_token: string
  fingerprint: string
  /** The fingerprint, on the method that is updated when the same card is saved again; else null. */
  dedupe_key: string | null
  created: string
  updated: string
  v: number
}

/** A token that a processor has yet to forget, because its method was removed or stored again. */
export interface TokensToForgetTable {
  instance_id: string
  processor: string
  processor_token: string
  /** Calls without success. */
  tries: number
  /** Null until the job has seen the row. */
  first_try: string | null
  next_try: string | null
}

export interface PaymentLinksTable {
  id: string
  instance_id: string
  /** EXPIRED is not stored: it is computed at every read. */
  status: 'ACTIVE' | 'PAYMENT_PENDING' | 'PAYMENT_SUCCESS'
  expires: string | null
  archived: string | null
  options: string
  options_v: number
  state: string | null
  account_id: string | null
  contract_id: string | null
  charge_id: string | null
  transaction_id: string | null
  payment_method_id: string | null
  payment_id: string | null
  /** The only attempt that may pay the link. */
  claim: string | null
  /** When the first and the last of its pruned sessions were opened. */
  removed_opened: string | null
  removed_last_opened: string | null
  /** Flag: the event of its first session is recorded. */
  opening_told: number
  /** Flag: the event of its expiry is recorded. An edit of `expires` resets it to 0. */
  expiry_told: number
  /** The deep link whose use it is; null for a link of its own. */
  deep_link_id: string | null
  created: string
  updated: string
  v: number
}

export type DeepLinkAction = 'PAY' | 'ADD_PAYMENT_METHOD' | 'PAY_CHARGES' | 'MANAGE_CONTRACT'

export interface DeepLinksTable {
  id: string
  instance_id: string
  /** Unique on the server, archived links included. */
  slug: string | null
  action: DeepLinkAction
  account_id: string | null
  contract_id: string | null
  /** JSON array of charge ids; null for all active charges of the account. */
  charges: string | null
  /** Of PAY: the template of the payment links that its uses make. */
  /** JSON list of what the customer may do with the contract; null for nothing. */
  allow: string | null
  options: string
  options_v: number
  max_uses: number | null
  /** The payment links of it that are paid. */
  uses: number
  /** The payment links of it that an attempt has claimed and not paid yet. */
  reserved_uses: number
  /** When it was last paid or its task completed. */
  /** JSON of what a customer did last; null before, and for PAY. */
  last_use: string | null
  last_used: string | null
  expires: string | null
  /** Flag: the event of its expiry is recorded. An edit of `expires` resets it to 0. */
  expiry_recorded: number
  archived: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

export interface BundlesTable {
  /** The beginning of the hash, base64url. */
  key: string
  /** SHA-256 of the canonical JSON of the strings, hex. */
  hash: string
  strings: string
  /** When a session last used it, accurate to an hour. */
  used: string
}

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
  expires: string
  created: string
  updated: string
  v: number
}

/**
 * Counts of sessions by the time of their opening and their properties; see
 * `server/checkout-monitor/cells.ts`. Empty texts stand for null.
 */
export interface CheckoutCountsTable {
  instance_id: string
  /** Number of five minutes since the epoch. */
  slot: number
  currency: string
  language: string
  branding: string
  channel: string
  method: string
  processor: string
  deep_link: string
  detail: string
  opened: number
  details_done: number
  method_chosen: number
  submitted: number
  challenged: number
  completed: number
  pending: number
  declined: number
  abandoned: number
  expired: number
  /** Minor units of the currency. */
  amount: number
  /** Of the row's `detail`. */
  occurrences: number
}

/** Changes of counts that are not in `checkout_counts` yet. */
export interface CheckoutCountChangesTable extends CheckoutCountsTable {
  id: string
}

export interface CheckoutAlertsTable {
  instance_id: string
  /** JSON array of alerts, as responses have them. Their status changes without a new version. */
  alerts: string
  /** When they are evaluated next; null without alerts. */
  next_check: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

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

/** The session of a customer who does the task of a deep link. */
export interface DeepLinkSessionsTable {
  id: string
  instance_id: string
  deep_link_id: string
  /** SHA-256 of the token's secret. */
  token_hash: string
  language: string
  /** Id of the actor session that changes are recorded with. */
  actor_session: string
  /** On the real clock; later after each request. */
  expires: string
  created: string
}

/** Methods that are saved without a payment. The id is the idempotency key at the processor. */
export interface MethodSetupsTable {
  id: string
  instance_id: string
  account_id: string
  /** The session of the payer. */
  session_id: string
  /** Key of one press of the button; unique within the session. */
  attempt_key: string
  /** Keyed digest of the submitted request, to recognize a repeat. */
  request_hash: string
  /** Opaque part of the return URL after a challenge. */
  handle: string
  /** Path of the page to which the payer returns. */
  page: string
  processor: string
  method_type: string
  /** JSON of the consent text that the payer accepted. */
  consent: string
  state: 'SENT' | 'ACTION' | 'PENDING' | 'UNRESOLVED' | 'DONE'
  status: 'PENDING' | 'SUCCESS' | 'DECLINE'
  /** 1 after a later set-up of the session: what this one saves is forgotten. */
  set_aside: number
  payment_method_id: string | null
  method_brand: string | null
  method_last4: string | null
  action_url: string | null
  action_expires: string | null
  /** String id of the message to the payer. */
  message_id: string | null
  gateway_message: string | null
  gateway_reference: string | null
  /** When the processor is queried next; null once nothing is left to do. */
  next_check: string | null
  checks: number
  created: string
  updated: string
}

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

export interface RefundsTable {
  id: string
  instance_id: string
  /** The payment; for a capture its authorization. */
  payment_id: string
  /** The refunded payment or capture. */
  refunded_id: string
  amount: number
  currency: string
  reason: string | null
  reason_lower: string | null
  reference: string
  reference_lower: string | null
  /** The transaction of the refunded payment or capture. */
  source_transaction_id: string | null
  /** The refund's transaction; null if no processor is called. */
  transaction_id: string | null
  status:
    | 'SUCCESS'
    | 'PENDING'
    | 'DECLINED'
    | 'INVALID_PAYMENT_METHOD'
    | 'UNRESOLVED'
    | 'UNATTRIBUTED'
  gateway_status: string | null
  gateway_message: string | null
  gateway_reference: string | null
  manual: number
  offline: number
  /** 1 if it succeeded and its money came back later. */
  failed_later: number
  account_id: string | null
  /** Whom it belongs to; null while the instance has no legal entities. */
  legal_entity_id: string | null
  /** JSON array of `{charge, amount}`, in minor units. */
  parts: string
  processed: string | null
  created: string
  updated: string
  v: number
}

/** One row per gateway reference. */
export interface ReversalsTable {
  id: string
  instance_id: string
  /** The payment or capture whose money comes back. */
  payment_id: string
  /** The refund that failed; null for other types. */
  refund_id: string | null
  processor: string
  type: 'INQUIRY' | 'DISPUTE' | 'RETURN' | 'EXTERNAL_REFUND' | 'REFUND_FAILED'
  status: 'OPEN' | 'WON' | 'LOST'
  amount: number
  currency: string
  reason: string | null
  /** Deadline for evidence; null if none is accepted. */
  due: string | null
  gateway_reference: string
  created: string
  updated: string
  v: number
}

/** Cursor of the reversals that were fetched from a processor; times of the instance's clock. */
export interface ReversalReadsTable {
  instance_id: string
  processor: string
  /** Time of the latest change fetched; null before the first. */
  since: string | null
  last_read: string
  next_read: string
  /** Time of the next change that the processor announces. */
  next_change: string | null
}

export interface VoidsTable {
  id: string
  instance_id: string
  /** The voided authorization. */
  payment_id: string
  transaction_id: string
  amount: number
  currency: string
  status: 'SUCCESS' | 'PENDING' | 'DECLINED' | 'UNRESOLVED'
  gateway_status: string | null
  gateway_message: string | null
  processed: string | null
  created: string
  updated: string
  v: number
}

export interface ContractsTable {
  id: string
  instance_id: string
  alt_key: string | null
  alt_key_folded: string | null
  alt_key_lower: string | null
  account_id: string
  payment_method_id: string | null
  payment_link_id: string | null
  amount: number
  currency: string
  description: string | null
  frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  interval: number
  /** Number of charges in total; null for no limit. */
  count: number | null
  /** The last possible due time; null for no limit. */
  until: string | null
  /** The first due time; later ones are computed from it. */
  anchor: string
  /** The time zone of due dates. */
  timezone: string
  next_due: string | null
  status: 'ACTIVE' | 'PAUSED' | 'ENDED' | 'CANCELLED'
  /** 0 until the first payment has an outcome; only the first charge exists until then. */
  started: number
  charges_total: number
  charges_paid: number
  /** Whom it belongs to; null while the instance has no legal entities. */
  legal_entity_id: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

export interface ChargesTable {
  id: string
  instance_id: string
  alt_key: string | null
  alt_key_folded: string | null
  alt_key_lower: string | null
  account_id: string | null
  contract_id: string | null
  /** Number of the charge within its contract, from 1. */
  contract_n: number | null
  payment_link_id: string | null
  amount: number
  currency: string
  /** Gross: a refund does not reduce it, otherwise the charge would be collected again. */
  paid_amount: number
  refunded_amount: number
  /** Allocated to payments in progress. */
  in_flight_amount: number
  /** 1 if its contract was canceled during a payment: the unpaid rest is canceled too. */
  cancelling: number
  /** Outstanding amount in 1/10000 of the major unit, for criteria; capped at 2^53 - 1. */
  outstanding_e4: number
  due: string | null
  recurring: number
  status: 'ACTIVE' | 'WRITTENOFF' | 'PAID' | 'CANCELLED'
  description: string | null
  payment_method_id: string | null
  /** The scheduled payment that the first collection takes. */
  scheduled_payment_id: string | null
  last_payment_id: string | null
  /** Number of collections started. */
  attempts: number
  /** When it is collected next; null for never. */
  next_attempt: string | null
  /** Why it is not collected again after a decline; null otherwise. */
  retry_advice: 'NEVER' | 'WITH_PAYER' | null
  /** Whom it belongs to; null while the instance has no legal entities. */
  legal_entity_id: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

/** One row per actor, client and day. */
export interface ActorSessionsTable {
  id: string
  instance_id: string
  /** SHA-256 of the actor, its credential and client, and the day. */
  fingerprint: string
  type: 'API_KEY' | 'OAUTH' | 'USER' | 'CHECKOUT' | 'SYSTEM'
  user_id: string | null
  client_id: string | null
  checkout_id: string | null
  ip: string | null
  user_agent: string | null
  created: string
}

/** Written in the transaction of the change. */
export interface EventsTable {
  id: string
  instance_id: string
  type: string
  /** JSON object with the record under its singular name. */
  data: string
  /** 1 until deliveries to the subscribed endpoints exist. */
  fan_out: number
  created: string
}

export interface WebhookEndpointsTable {
  id: string
  instance_id: string
  url: string
  url_lower: string | null
  /** JSON array of event types, `prefix.*` or `*`. */
  events: string
  enabled: number
  description: string | null
  description_lower: string | null
  /** Signing secret (`whsec_…`), stored in plain text because deliveries are signed with it. */
  secret: string
  /** Also signs until `previous_until`, during a rotation. */
  previous_secret: string | null
  previous_until: string | null
  /** Start of the present run of failures; null after a success. */
  failing_since: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

export type DeliveryError =
  | 'ADDRESS_REFUSED'
  | 'BAD_STATUS'
  | 'CONNECTION_FAILED'
  | 'DNS_FAILED'
  | 'REDIRECT'
  | 'TIMEOUT'
  | 'TLS_FAILED'

/** Unique per event and endpoint. */
export interface DeliveriesTable {
  id: string
  instance_id: string
  endpoint_id: string
  event_id: string
  status: 'WAITING' | 'DELIVERED' | 'FAILED'
  attempts: number
  /** Null once delivered or failed. */
  next_attempt: string | null
  /** Lease of the sending process. */
  leased_until: string | null
  last_attempt: string | null
  response_status: number | null
  /** Reason of the last failure; null after a success. */
  error: DeliveryError | null
  delivered: string | null
  created: string
  updated: string
}

/** Requests with an `Idempotency-Key` header. */
/** Which event a mail is about. */
export type MailKind =
  | 'RECEIPT'
  | 'REFUND'
  | 'PAYMENT_LINK'
  | 'CARD_EXPIRING'
  | 'COLLECTION_FAILED'
  | 'WEBHOOK_DISABLED'

/** Why a mail was not accepted. `OBSOLETE`: what it says is no longer true. */
export type MailError =
  | 'CONNECTION_FAILED'
  | 'TIMEOUT'
  | 'TLS_FAILED'
  | 'LOGIN_REFUSED'
  | 'SENDER_REFUSED'
  | 'RECIPIENT_REFUSED'
  | 'MESSAGE_REFUSED'
  | 'DEFERRED'
  | 'NO_RECIPIENT'
  | 'OBSOLETE'
  | 'GIVEN_UP'
  | 'DEFECT'

/** The outbox. A mail is written when it is sent, from the record that it is about. */
export interface MailsTable {
  id: string
  instance_id: string
  kind: MailKind
  /** What the mail is about; one mail of a kind exists for each. */
  subject: string
  /** The record that the mail is written from. */
  record_id: string
  /** The recipient of a mail to a user. */
  user_id: string | null
  /** The deep link that the mail leads to; null before it is written, and without one. */
  deep_link_id: string | null
  /** The address that a merchant gave; null where the record has it, and some days after sending. */
  recipient: string | null
  language: string
  /** Empty for the instance's own. */
  branding: string
  timezone: string | null
  status: 'WAITING' | 'SENT' | 'FAILED'
  attempts: number
  /** Null once sent or given up. */
  next_attempt: string | null
  /** Lease of the sending process. */
  leased_until: string | null
  last_attempt: string | null
  /** The reply of the mail server to the last try; null without one. */
  response_code: number | null
  /** Reason of the last failure; null after a success. */
  error: MailError | null
  sent: string | null
  created: string
  updated: string
}

export interface IdempotencyKeysTable {
  instance_id: string
  path: string
  key: string
  /** Keyed digest of method, path and body. */
  request_hash: string
  /** The created record; its present state is the response while `body` is null. */
  record_id: string | null
  status: number | null
  body: string | null
  /** Lease of the first request. */
  busy_until: string
  expires: string
  created: string
}

export interface UserSessionsTable {
  /** SHA-256 of the cookie, hex. */
  hash: string
  user_id: string
  created: string
  expires: string
}

/** Links that create the first user of a server. */
export interface FirstSignInsTable {
  /** SHA-256 of the link's token, hex. */
  hash: string
  created: string
  expires: string
  used: string | null
}

/** Token buckets that all processes share (server/rate-limits/token-bucket.ts). */
export interface BucketsTable {
  name: string
  key: string
  /** When the bucket is full again, epoch milliseconds. */
  full_again: number
}

export interface LimitCountersTable {
  /** The limit, such as `sign-in-user`. */
  name: string
  /** An id, a hash or the network of an address. */
  key: string
  /** Start of a fixed window; empty for a counter without windows. */
  window_start: string
  count: number
  updated: string
  /** Rows past this time are ignored. */
  expires: string
}

/** OAuth clients of the server; they act for any merchant that consents. */
export interface OauthClientsTable {
  id: string
  name: string
  /** SHA-256, hex; null for a public client. */
  secret_hash: string | null
  /** JSON array; compared byte by byte. */
  redirect_urls: string
  /** Separated by spaces, in every `scopes` column. */
  scopes: string
  require_pkce: number
  created: string
  disabled: string | null
}

/** A user's consent for a client and an instance. Every code and token refers to one. */
export interface OauthGrantsTable {
  id: string
  client_id: string
  instance_id: string
  user_id: string
  scopes: string
  created: string
  revoked: string | null
}

export interface OauthCodesTable {
  /** SHA-256 of the code, hex. */
  hash: string
  grant_id: string
  /** The grant's client, so that one statement checks and uses a code. */
  client_id: string
  redirect_url: string
  /** PKCE `code_challenge` (S256), or null. */
  challenge: string | null
  created: string
  expires: string
  used: string | null
}

export interface OauthTokensTable {
  /** SHA-256 of the token, hex. */
  hash: string
  grant_id: string
  kind: 'ACCESS' | 'REFRESH'
  scopes: string
  created: string
  expires: string
  /** When a public client's refresh token was rotated or superseded. */
  used: string | null
  /** Hash of the public client's refresh token that this one was issued for. */
  parent: string | null
}

/** Keys of the server, created with the database. */
export interface ServerKeysTable {
  name: string
  /** Random bytes, hex. */
  value: string
  created: string
}

export interface Tables {
  merchants: MerchantsTable
  instances: InstancesTable
  users: UsersTable
  secret_keys: SecretKeysTable
  accounts: AccountsTable
  payment_methods: PaymentMethodsTable
  payment_links: PaymentLinksTable
  deep_links: DeepLinksTable
  bundles: BundlesTable
  checkouts: CheckoutsTable
  checkout_counts: CheckoutCountsTable
  checkout_count_changes: CheckoutCountChangesTable
  checkout_alerts: CheckoutAlertsTable
  payments: PaymentsTable
  transactions: TransactionsTable
  attempts: AttemptsTable
  method_setups: MethodSetupsTable
  deep_link_sessions: DeepLinkSessionsTable
  strings: StringsTable
  payment_parts: PaymentPartsTable
  refunds: RefundsTable
  voids: VoidsTable
  reversals: ReversalsTable
  reversal_reads: ReversalReadsTable
  tokens_to_forget: TokensToForgetTable
  contracts: ContractsTable
  charges: ChargesTable
  legal_entities: LegalEntitiesTable
  legal_entity_versions: LegalEntityVersionsTable
  legal_entity_routes: LegalEntityRoutesTable
  actor_sessions: ActorSessionsTable
  events: EventsTable
  webhook_endpoints: WebhookEndpointsTable
  deliveries: DeliveriesTable
  mails: MailsTable
  idempotency_keys: IdempotencyKeysTable
  user_sessions: UserSessionsTable
  first_sign_ins: FirstSignInsTable
  limit_counters: LimitCountersTable
  buckets: BucketsTable
  oauth_clients: OauthClientsTable
  oauth_grants: OauthGrantsTable
  oauth_codes: OauthCodesTable
  oauth_tokens: OauthTokensTable
  server_keys: ServerKeysTable
  processor_connections: ProcessorConnectionsTable
  processor_operations: ProcessorOperationsTable
  processor_notices: ProcessorNoticesTable
}

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>
