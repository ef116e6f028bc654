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
}

export interface SecretKeysTable {
  /** SHA-256 of the key, hex. The key itself is shown once and kept nowhere. */
  hash: string
  instance_id: string
  prefix: string
  last4: string
  created: string
  revoked: string | null
}

export interface AccountsTable {
  id: string
  instance_id: string
  crm_key: string
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
  /** The attempt that may pay this link now; nobody else may until it is released. */
  claim: string | null
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
  captured_amount: number
  refunded_amount: number
  alt_key: string | null
  alt_key_folded: string | null
  description: string | null
  payer_comment: string | null
  payer_details: string | null
  reference: string
  source: string
  channel: string | null
  metadata: string
  account_id: string | null
  payment_link_id: string | null
  payment_method_id: string | null
  transaction_id: string | null
  gateway_status: string | null
  gateway_message: string | null
  gateway_reference: string | null
  three_ds: string | null
  processed: string | null
  created: string
  updated: string
  v: number
}

export interface TransactionsTable {
  id: string
  instance_id: string
  type: 'PAYMENT' | 'AUTH' | 'CAPTURE' | 'REFUND' | 'VOID'
  /** The `pay_`, `ca_` or `ref_` that it belongs to. */
  payment_id: string
  amount: number
  currency: string
  status: 'SUCCESS' | 'DECLINE' | 'PENDING' | 'UNRESOLVED'
  processor: string
  gateway_reference: string | null
  gateway_status: string | null
  gateway_message: string | null
  account_id: string | null
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
  payment_id: string
  transaction_id: string
  payment_link_id: string
  checkout_id: string
  /** The page's key for one press of the pay button; unique within its checkout. */
  attempt_key: string
  /** SHA-256 of what was submitted, to tell a repeat from another request under the same key. */
  request_hash: string
  /** Opaque part of the address that the payer's bank sends them back to. */
  handle: string
  returned: string | null
  processor: string
  method_type: string
  /** A saved method was chosen. */
  saved_method_id: string | null
  save: number
  reusable: number
  /** JSON of the sentence under which the payer allowed the method to be kept, or null. */
  consent: string | null
  state: 'SENT' | 'ACTION' | 'PENDING' | 'UNRESOLVED' | 'DONE'
  action_url: string | null
  /** What the payer is told, as a string id. */
  message_id: string | null
  method_brand: string | null
  method_last4: string | null
  /** When the processor is to be asked next; null once the outcome is final. */
  next_check: string | null
  checks: number
  created: string
  updated: string
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
}

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>
