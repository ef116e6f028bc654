import type { Selectable } from 'kysely'

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

export type ReversalRow = Selectable<ReversalsTable>

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
