import type { Selectable } from 'kysely'

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

export type VoidRow = Selectable<VoidsTable>
