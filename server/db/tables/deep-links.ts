import type { Selectable } from 'kysely'

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
  /** JSON array of what the customer may do with the contract; null for nothing. */
  allow: string | null
  /** JSON: the template of the payment links that its uses make. */
  options: string
  options_v: number
  max_uses: number | null
  /** The payment links of it that are paid. */
  uses: number
  /** The payment links of it that an attempt has claimed and not paid yet. */
  reserved_uses: number
  /** JSON of what a customer did last; null before, and for PAY. */
  last_use: string | null
  /** When it was last paid, or its task done. */
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

export type DeepLinkRow = Selectable<DeepLinksTable>

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

export type DeepLinkSessionRow = Selectable<DeepLinkSessionsTable>
