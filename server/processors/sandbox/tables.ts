import type { DeclineCode, ThreeDs } from '../port.ts'
import type { OperationKind, Scenario } from './scenarios.ts'

/**
 * The tables of the sandbox's ledger (migrations 0003, 0025 and 0046). Date-times are ISO text in UTC with
 * milliseconds, amounts integer minor units, flags 0 or 1.
 */

/** A card or account without its number. */
export interface MethodToken {
  token: string
  type: MethodType
  brand: string | null
  last4: string
  exp_month: number | null
  exp_year: number | null
  country: string | null
  scenario: Scenario
  fingerprint: string
  /** 1: reusable. 0: belongs to the first operation that uses it. */
  stored: number
  used_by: string | null
  created: string
}

export type MethodType = 'CARD' | 'DIRECT_DEBIT' | 'BANK_TRANSFER'

/** STARTED exists only inside the transaction that decides the operation. */
export type OperationState = 'STARTED' | 'ACTION' | 'PENDING' | 'APPROVED' | 'DECLINED'

/** One operation key, with everything needed to repeat its response. */
export interface OperationRow {
  operation: string
  kind: OperationKind
  /** The merchant; null for operations older than disputes. */
  merchant: string | null
  state: OperationState
  /** Hash of the request, to detect a reused key. */
  content_hash: string | null
  reference: string | null
  /** The reference that a capture, refund or void follows. */
  follows: string | null
  amount: number | null
  currency: string | null
  method_type: MethodType | null
  token: string | null
  store: number
  /** What a statement would show; null for nothing of the legal entity. */
  statement_descriptor: string | null
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

/** A scheduled, open or closed dispute, which takes the steps of its scenario one by one. */
export interface DisputeRow {
  id: string
  charge: string
  /** The operation of the charge. */
  operation: string
  merchant: string
  scenario: Scenario
  /** Number of steps taken; 0 before it opens. */
  steps: number
  /** The amount withdrawn when it opened; 0 before. */
  amount: number
  currency: string
  /** Time of the next step; null after the last. */
  next_change: string | null
  /** Time of the last step; null before it opens. */
  changed: string | null
  created: string
}

/** An entry of the ledger. The id is the operation's reference. */
interface LedgerEntry {
  id: string
  operation: string
  currency: string
  created: string
}

/** Captured money. */
export interface LedgerCharge extends LedgerEntry {
  amount: number
  refunded: number
  /** Withdrawn by an open or lost dispute. */
  disputed: number
}

/** `reserved - captured - released` is still open. */
interface LedgerAuthorization extends LedgerEntry {
  reserved: number
  captured: number
  released: number
  authorised_until: string
}

export interface SandboxTables {
  sandbox_settings: { name: string; value: string }
  sandbox_tokens: MethodToken
  sandbox_operations: OperationRow
  sandbox_charges: LedgerCharge
  sandbox_authorisations: LedgerAuthorization
  sandbox_refunds: LedgerEntry & { charge: string; amount: number }
  sandbox_voids: LedgerEntry & { authorisation: string; amount: number }
  sandbox_disputes: DisputeRow
}
