import type { Selectable } from 'kysely'

export interface PaymentLinksTable {
  id: string
  instance_id: string
  /** EXPIRED is not stored: it is computed at every read. */
  status: 'ACTIVE' | 'PAYMENT_PENDING' | 'PAYMENT_SUCCESS'
  expires: string | null
  archived: string | null
  options: string
  options_v: number
  /** Folded texts of the options, for criteria. */
  name_lower: string | null
  alt_key_lower: string | null
  channel_lower: string | null
  /** The amount of the options at four decimals, whatever the currency. */
  amount_e4: number | null
  /** Null for the default currency of the instance. */
  currency: string | null
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

export type LinkRow = Selectable<PaymentLinksTable>

/**
 * The payment link that a session pays. On a deep link its `id` is null until the first submit stores
 * it.
 */
export type SessionLink = Omit<LinkRow, 'id'> & { id: string | null }

/** A link with data derived from its sessions and payments. */
export interface LinkWithHistory extends LinkRow {
  opened: string | null
  last_opened: string | null
  attempts: number
}
