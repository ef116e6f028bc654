import type { Kysely, Transaction } from 'kysely'

/**
 * The tables, as the code sees them. Times are ISO 8601 UTC text with milliseconds (sorts as
 * time), amounts are integer minor units of the row's currency, flags are 0 or 1, and JSON is text
 * because nothing is ever queried inside it.
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
  /** Grows with every change of wording, so that what was read before is known to be old. */
  strings_version: number
  created: string
  updated: string
  v: number
  /** When it was shut, which its merchant cannot undo; null while it works. */
  disabled: string | null
  /** How far its test clock is ahead; null for a clock that was never moved. */
  clock_offset_ms: number | null
  /** Where its test clock is moving to, on its way from one due time to the next; null when it is there. */
  clock_target: string | null
}

export interface StringsTable {
  instance_id: string
  /** Empty for wording of the instance itself. */
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
  /** argon2id with its parameters and salt, in PHC form. */
  password_hash: string
  created: string
  /** Since when the user may no longer sign in; null for one who may. */
  disabled: string | null
}

export interface SecretKeysTable {
  /** SHA-256 of the key, hex. The key itself is shown once and kept nowhere. */
  hash: string
  instance_id: string
  prefix: string
  last4: string
  created: string
  revoked: string | null
  /** Right to about a minute: it is not written at every call. */
  last_used: string | null
}

export interface AccountsTable {
  id: string
  instance_id: string
  crm_key: string
  /** What `foldKey` makes of the column, for an index; null where the text is empty. */
  crm_key_folded: string
  email_folded: string | null
  /** What `fold` makes of the column without `_lower`, here as in other tables; null where it is empty. */
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
  /** The fingerprint, of the one method that is updated when the same card is saved again. */
  dedupe_key: string | null
  created: string
  updated: string
  v: number
}

export interface PaymentLinksTable {
  id: string
  instance_id: string
  /** Without EXPIRED, which is computed from the clock at every read. */
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
  /** The attempt that may pay this link; no other may until it is released. */
  claim: string | null
  /** When the first and the last of its sessions that were removed were opened; null without any. */
  removed_opened: string | null
  removed_last_opened: string | null
  /** The event that tells of its first session was recorded. */
  opening_told: number
  /** The event that tells of its expiry was recorded; an edit of `expires` makes it 0 again. */
  expiry_told: number
  created: string
  updated: string
  v: number
}

export interface BundlesTable {
  /** The beginning of the hash in base64url: what a session's row refers to. */
  key: string
  /** SHA-256 of the canonical JSON of the strings, hex. */
  hash: string
  strings: string
  /** About when a session was last opened on it; to the hour. */
  used: string
}

export interface CheckoutsTable {
  id: string
  instance_id: string
  payment_link_id: string
  /** SHA-256 of the secret half of the token, base64url; the other half is the session's id. */
  token_hash: string
  status: 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'PENDING' | 'EXPIRED' | 'ABANDONED'
  merchant: string
  language: string
  branding: string | null
  timezone: string | null
  bundle: string
  options_v: number
  account_id: string | null
  amount: number | null
  currency: string | null
  alt_key: string | null
  description: string | null
  payer_comment: string | null
  embedded_origin: string | null
  /** Where the payer last paid from, without the end of the address; null when it is not known. */
  network: string | null
  milestones: string
  expires: string
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
  /** Of an authorisation: captured so far, counting captures whose outcome is open. */
  captured_amount: number
  /** Of an authorisation: given back by a void or a final capture, or about to be. */
  released_amount: number
  /** Given back, counting refunds whose outcome is open. */
  refunded_amount: number
  /** Withdrawn by disputes that are open or lost. */
  disputed_amount: number
  /** Of a capture: the authorisation that it draws on. */
  authorisation_id: string | null
  /** Of an authorisation: until when it can be captured. */
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
  /** What its processor cannot do with it, as a JSON list of capabilities; null: what it can do at all. */
  unsupported: string | null
  /** Of a scheduled payment: when it is to be taken. */
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
  /** The `pay_`, `ca_`, `ref_` or `vo_` that it belongs to. */
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
 * One operation sent to a processor. The row exists, durable, before the processor is called, and
 * its id is the idempotency key that the processor sees.
 */
export interface AttemptsTable {
  id: string
  instance_id: string
  kind: 'PAY' | 'AUTHORISE' | 'CAPTURE' | 'REFUND' | 'VOID'
  /** The payment, authorisation or capture that the operation makes or, for a refund or void, undoes. */
  payment_id: string
  transaction_id: string
  refund_id: string | null
  void_id: string | null
  /** The link and session of a payer; null for what a merchant or the scheduler started. */
  payment_link_id: string | null
  checkout_id: string | null
  /** The page's key for one press of the pay button; unique within its checkout. */
  attempt_key: string | null
  /**
   * Keyed digest of what was submitted, to tell a repeat from another request under the same key;
   * null where the session ended long ago.
   */
  request_hash: string | null
  /** Opaque part of the address that the payer's bank sends them back to. */
  handle: string | null
  returned: string | null
  processor: string
  /** Null for what follows an earlier operation. */
  method_type: string | null
  /** A saved method was chosen. */
  saved_method_id: string | null
  save: number
  reusable: number
  /** JSON of the sentence under which the payer allowed the method to be kept, or null. */
  consent: string | null
  /**
   * What becomes of what a capture leaves of its authorisation, once it succeeded: the processor
   * lets it go by itself, or we ask for that. Null: it stays open.
   */
  rest: 'RELEASED' | 'VOID' | null
  state: 'SENT' | 'ACTION' | 'PENDING' | 'UNRESOLVED' | 'DONE'
  action_url: string | null
  /** What the payer is told, as a string id. */
  message_id: string | null
  method_brand: string | null
  method_last4: string | null
  /**
   * When the processor is to be asked next; null once the outcome is final and nothing is left to be
   * done about it.
   */
  next_check: string | null
  checks: number
  /** The process that sent the call, where others can see whether it is alive; else null. */
  owner: string | null
  /**
   * The database was put back to a moment before the outcome was known (0 or 1): what followed it
   * then is not in here.
   */
  restored: number
  created: string
  updated: string
}

/** What part of a payment is for which charge. */
export interface PaymentPartsTable {
  payment_id: string
  charge_id: string
  /** The order in which the parts were named. */
  position: number
  amount: number
  refunded_amount: number
}

export interface RefundsTable {
  id: string
  instance_id: string
  /** The payment as merchants know it: for a capture the authorisation's. */
  payment_id: string
  /** The payment or capture whose money is given back. */
  refunded_id: string
  amount: number
  currency: string
  reason: string | null
  reason_lower: string | null
  reference: string
  reference_lower: string | null
  /** The transaction of the refunded payment or capture. */
  source_transaction_id: string | null
  /** The refund's own; null when nothing is sent to a processor. */
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
  account_id: string | null
  /** JSON of `{charge, amount}` with minor units. */
  parts: string
  processed: string | null
  created: string
  updated: string
  v: number
}

/** What a processor says of money that was taken back; one row for each of its references. */
export interface ReversalsTable {
  id: string
  instance_id: string
  /** The payment or capture whose money it is. */
  payment_id: string
  processor: string
  type: 'DISPUTE'
  status: 'OPEN' | 'WON' | 'LOST'
  amount: number
  currency: string
  reason: string | null
  /** Until when the processor takes evidence; null where it takes none. */
  due: string | null
  gateway_reference: string
  created: string
  updated: string
  v: number
}

/** How far the reversals of an instance have been read at a processor; times by the instance's clock. */
export interface ReversalReadsTable {
  instance_id: string
  processor: string
  /** When the latest change that was read happened; null before the first. */
  since: string | null
  last_read: string
  next_read: string
  /** When something is going to change, where the processor knows. */
  next_change: string | null
}

export interface VoidsTable {
  id: string
  instance_id: string
  /** The authorisation. */
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
  /** How many charges it makes in all; null for no end by number. */
  count: number | null
  /** No charge falls due after this; null for no end by date. */
  until: string | null
  /** The first due time, from which every later one is counted. */
  anchor: string
  /** In which days and months are counted. */
  timezone: string
  next_due: string | null
  status: 'ACTIVE' | 'PAUSED' | 'ENDED' | 'CANCELLED'
  /** 0 while its first payment has no outcome: until then only the first charge is made. */
  started: number
  charges_total: number
  charges_paid: number
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
  /** Which charge of its contract it is, from 1. */
  contract_n: number | null
  payment_link_id: string | null
  amount: number
  currency: string
  /** Gross: a refund does not make it less, or the charge would be collected again. */
  paid_amount: number
  refunded_amount: number
  /** Being paid by payments whose outcome is open. */
  in_flight_amount: number
  /** 1 when its contract was cancelled while it was being paid: what stays unpaid is cancelled too. */
  cancelling: number
  /** What is outstanding in ten-thousandths of a major unit, for criteria; capped at 2^53 - 1. */
  outstanding_e4: number
  due: string | null
  recurring: number
  status: 'ACTIVE' | 'WRITTENOFF' | 'PAID' | 'CANCELLED'
  description: string | null
  payment_method_id: string | null
  /** The scheduled payment that the first collection turns into a real one. */
  scheduled_payment_id: string | null
  last_payment_id: string | null
  /** Collections begun so far. */
  attempts: number
  /** When the worker collects it; null for never. */
  next_attempt: string | null
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
  /** SHA-256 over everything that makes it this session and not another. */
  fingerprint: string
  type: 'API_KEY' | 'OAUTH' | 'USER' | 'CHECKOUT' | 'SYSTEM'
  user_id: string | null
  client_id: string | null
  checkout_id: string | null
  ip: string | null
  user_agent: string | null
  created: string
}

/** Written in the transaction of its change. */
export interface EventsTable {
  id: string
  instance_id: string
  type: string
  /** JSON of the record under its singular name. */
  data: string
  /** 1 until it was handed to the endpoints that want it. */
  fan_out: number
  created: string
}

export interface WebhookEndpointsTable {
  id: string
  instance_id: string
  url: string
  url_lower: string | null
  /** JSON array of event types, each whole or ending in `.*`, or `*`. */
  events: string
  enabled: number
  description: string | null
  description_lower: string | null
  /** `whsec_…`: it signs, so it must be readable, unlike a password. */
  secret: string
  /** Signs too until `previous_until`, so that a receiver can change over. */
  previous_secret: string | null
  previous_until: string | null
  /** Since when every delivery fails; null after a success. */
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

/** Unique for an event and an endpoint. */
export interface DeliveriesTable {
  id: string
  instance_id: string
  endpoint_id: string
  event_id: string
  status: 'WAITING' | 'DELIVERED' | 'FAILED'
  attempts: number
  /** When it is sent next; null once it is delivered or given up. */
  next_attempt: string | null
  /** Until when the process that is sending it has it for itself. */
  leased_until: string | null
  last_attempt: string | null
  /** The receiver's last answer. */
  response_status: number | null
  /** Why the last attempt failed; null after one that did not. */
  error: DeliveryError | null
  /** When the receiver last took it. */
  delivered: string | null
  created: string
  updated: string
}

/** Requests with an Idempotency-Key. */
export interface IdempotencyKeysTable {
  instance_id: string
  path: string
  key: string
  /** Keyed digest of method, path and body. */
  request_hash: string
  /** The record that the request made, to read its present state from while nothing is stored. */
  record_id: string | null
  status: number | null
  body: string | null
  /** Until when the first request may still be running. */
  busy_until: string
  expires: string
  created: string
}

/** A browser in which a user is signed in. */
export interface UserSessionsTable {
  /** SHA-256 of what the cookie holds, hex. */
  hash: string
  user_id: string
  created: string
  expires: string
}

/** A link by which the first user of a server makes themselves. */
export interface FirstSignInsTable {
  /** SHA-256 of the link's token, hex. */
  hash: string
  created: string
  expires: string
  used: string | null
}

/** How much a caller has asked of all processes together (server/rate-limits/token-bucket.ts). */
export interface BucketsTable {
  name: string
  key: string
  /** When the bucket is full again, epoch milliseconds. */
  full_again: number
}

/** Counters by name, key and window. */
export interface LimitCountersTable {
  /** What is counted, such as `sign-in-user`. */
  name: string
  /** Whose: an id, a hash, the network of an address. */
  key: string
  /** The beginning of a fixed window; empty for what is counted until it is forgotten. */
  window_start: string
  count: number
  /** When it was counted last. */
  updated: string
  /** From then on the row counts as gone. */
  expires: string
}

/** A platform that acts for merchants. It belongs to the server, not to one of them. */
export interface OauthClientsTable {
  id: string
  name: string
  /** SHA-256, hex; null for a public client, which has no secret. */
  secret_hash: string | null
  /** JSON array; compared byte for byte. */
  redirect_urls: string
  /** Names separated by spaces, as in every `scopes` below. */
  scopes: string
  require_pkce: number
  created: string
  disabled: string | null
}

/** What a user allowed a client to do with an instance; every code and token hangs on one. */
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
  /** The grant's client, so that one statement can both check and use up a code. */
  client_id: string
  redirect_url: string
  /** Of PKCE, by S256; null when the request had none. */
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
  /** When a public client's refresh token was exchanged for the next one, or replaced unused. */
  used: string | null
  /** The hash of the public client's refresh token that this one was issued for. */
  parent: string | null
}

/** Keys of the server itself, made when the database was. */
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
  bundles: BundlesTable
  checkouts: CheckoutsTable
  payments: PaymentsTable
  transactions: TransactionsTable
  attempts: AttemptsTable
  strings: StringsTable
  payment_parts: PaymentPartsTable
  refunds: RefundsTable
  voids: VoidsTable
  reversals: ReversalsTable
  reversal_reads: ReversalReadsTable
  contracts: ContractsTable
  charges: ChargesTable
  actor_sessions: ActorSessionsTable
  events: EventsTable
  webhook_endpoints: WebhookEndpointsTable
  deliveries: DeliveriesTable
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
}

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>
