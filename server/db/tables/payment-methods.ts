import type { Selectable } from 'kysely'

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
  /** The fingerprint, on the method that is updated when the same card is saved again; else null. */
  dedupe_key: string | null
  created: string
  updated: string
  v: number
}

export type PaymentMethodRow = Selectable<PaymentMethodsTable>

/** A token that a processor has yet to forget, because its method was removed or stored again. */
export interface TokensToForgetTable {
  instance_id: string
  processor: string
  processor_token: string
  /** Calls without success. */
  tries: number
  /** Null until the job has seen the row. */
  first_try: string | null
  next_try: string | null
}

export type TokenToForgetRow = Selectable<TokensToForgetTable>
