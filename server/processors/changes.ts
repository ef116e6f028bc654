/** What a processor reports after a payment is final. */

import type { ProcessorFees } from './operation.ts'

/**
 * The present state of money that comes back after a payment or leaves again after a refund. Earlier
 * states and the order of reports do not matter.
 */
export interface ProcessorReversal {
  /** The processor's reference of the reversal, the same in every state. */
  reference: string
  /** The key of the payment or capture; of the failed refund for REFUND_FAILED. */
  operation: string
  /**
   * INQUIRY: the bank asks about the payment, and no money has moved; it may become a DISPUTE of the
   * same reference. DISPUTE: the payer contests the payment. RETURN: the bank returned a debit, which is always LOST.
   * EXTERNAL_REFUND: the merchant refunded it at the processor. REFUND_FAILED: a refund that was
   * approved did not arrive, which is always WON.
   */
  type: 'INQUIRY' | 'DISPUTE' | 'RETURN' | 'EXTERNAL_REFUND' | 'REFUND_FAILED'
  /** OPEN and LOST: the money is withdrawn, but not by an INQUIRY. WON: it was returned. */
  status: 'OPEN' | 'WON' | 'LOST'
  /** Minor units of `currency`. */
  amount: number
  currency: string
  /** The processor's text; null when there is none. */
  reason: string | null
  /** Deadline for evidence, date-time; null when evidence is no longer accepted. */
  due: string | null
  /** Start of this state, date-time. */
  changed: string
}

/** What the processor kept of a payment or capture. */
export interface OperationFees extends ProcessorFees {
  /** The key of the payment or capture. */
  operation: string
}

export interface ChangesResponse {
  /** All that changed at or after `since`, in any order. */
  reversals: readonly ProcessorReversal[]
  /** Those that became known. */
  fees?: readonly OperationFees[]
  /** Tokens of saved methods that the processor has removed, or that may not be charged any more. */
  removed?: readonly string[]
  /** When to read again. */
  check_after_ms: number
  /** Everything that changed before it has been reported, date-time. The next read begins there. */
  read_until?: string
  /** The next change, date-time, where the processor reports it, as the sandbox does. */
  next_change?: string | null
}
