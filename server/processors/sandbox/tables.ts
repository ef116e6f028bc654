import type { DeclineCode, ThreeDs } from '../port.ts'
import type { Scenario } from './scenarios.ts'

/**
 * The tables of the sandbox's ledger (migrations 0003 and 0025). Date-times are ISO text in UTC with
 * milliseconds, amounts integer minor units, flags 0 or 1.
 */

/** A card or account that somebody typed: what may be known of it, and never its number. */
export interface TokenRow {
  token: string
  type: MethodType
  brand: string | null
  last4: string
  exp_month: number | null
  exp_year: number | null
  country: string | null
  scenario: Scenario
  fingerprint: string
  /** 1: may be paid with again and again. 0: belongs to the first operation that uses it. */
  stored: number
  used_by: string | null
  created: string
}

export type MethodType = 'CARD' | 'DIRECT_DEBIT' | 'BANK_TRANSFER'

/** CANCEL is a tombstone: a key that was cancelled before it ever arrived. */
export type OperationKind = 'PAY' | 'AUTHORISE' | 'CAPTURE' | 'REFUND' | 'VOID' | 'CANCEL'

/** STARTED lives only inside the transaction that decides the operation; nobody else sees it. */
export type OperationState = 'STARTED' | 'ACTION' | 'PENDING' | 'APPROVED' | 'DECLINED'

/** One operation key, with everything needed to give the same answer again. */
export interface OperationRow {
  operation: string
  kind: OperationKind
  /** Whose payment it is; null for what is older than disputes. */
  merchant: string | null
  state: OperationState
  /** Hash of what was asked, to notice a key that is used again for something else. */
  content_hash: string | null
  reference: string | null
  /** The reference that a capture, refund or void follows. */
  follows: string | null
  amount: number | null
  currency: string | null
  method_type: MethodType | null
  token: string | null
  store: number
  scenario: Scenario | null
  code: DeclineCode | null
  message: string | null
  three_ds: ThreeDs | null
  challenge: string | null
  return_url: string | null
  settles_at: string | null
  stored_token: string | null
  authorised_until: string | null
  created: string
  updated: string
}

/** Money that was really taken: one row per charge. Its id is the operation's reference. */
export interface ChargeRow {
  id: string
  operation: string
  amount: number
  refunded: number
  /** Withdrawn by a dispute that is open or lost. */
  disputed: number
  currency: string
  created: string
}

/** A dispute that is going to be, is, or was. It takes the steps of its scenario one by one. */
export interface DisputeRow {
  id: string
  charge: string
  /** The operation that took the charge. */
  operation: string
  merchant: string
  scenario: Scenario
  /** How many steps it has taken; 0 before it opens. */
  steps: number
  /** What it withdrew when it opened; 0 before, and where nothing was left to withdraw. */
  amount: number
  currency: string
  /** When it takes its next step; null after the last. */
  next_change: string | null
  /** When it took the last one; null before it opens. */
  changed: string | null
  created: string
}

/** Money that is set aside: `reserved - captured - released` of it is still open. */
export interface AuthorisationRow {
  id: string
  operation: string
  reserved: number
  captured: number
  released: number
  currency: string
  authorised_until: string
  created: string
}

export interface RefundRow {
  id: string
  operation: string
  charge: string
  amount: number
  currency: string
  created: string
}

export interface VoidRow {
  id: string
  operation: string
  authorisation: string
  amount: number
  currency: string
  created: string
}

/** What `createSandbox` needs of a database. */
export interface SandboxTables {
  sandbox_settings: { name: string; value: string }
  sandbox_tokens: TokenRow
  sandbox_operations: OperationRow
  sandbox_charges: ChargeRow
  sandbox_authorisations: AuthorisationRow
  sandbox_refunds: RefundRow
  sandbox_voids: VoidRow
  sandbox_disputes: DisputeRow
}
