import type { Selectable } from 'kysely'

export interface ChargesTable {
  id: string
  instance_id: string
  alt_key: string | null
  alt_key_folded: string | null
  alt_key_lower: string | null
  account_id: string | null
  contract_id: string | null
  /** Number of the charge within its contract, from 1. */
  contract_n: number | null
  payment_link_id: string | null
  amount: number
  currency: string
  /** Gross: a refund does not reduce it, otherwise the charge would be collected again. */
  paid_amount: number
  refunded_amount: number
  /** Allocated to payments in progress. */
  in_flight_amount: number
  /** 1 if its contract was canceled during a payment: the unpaid rest is canceled too. */
  cancelling: number
  /** Outstanding amount in 1/10000 of the major unit, for criteria; capped at 2^53 - 1. */
  outstanding_e4: number
  due: string | null
  recurring: number
  status: 'ACTIVE' | 'WRITTENOFF' | 'PAID' | 'CANCELLED'
  description: string | null
  payment_method_id: string | null
  /** The scheduled payment that the first collection takes. */
  scheduled_payment_id: string | null
  last_payment_id: string | null
  /** Number of collections started. */
  attempts: number
  /** When it is collected next; null for never. */
  next_attempt: string | null
  /** Why it is not collected again after a decline; null otherwise. */
  retry_advice: 'NEVER' | 'WITH_PAYER' | null
  /** Whom it belongs to; null while the instance has no legal entities. */
  legal_entity_id: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

export type ChargeRow = Selectable<ChargesTable>
