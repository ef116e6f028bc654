import type { Selectable } from 'kysely'

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

export type RefundRow = Selectable<RefundsTable>
