import type { Selectable } from 'kysely'

export interface ContractsTable {
  id: string
  instance_id: string
  alt_key: string | null
  alt_key_folded: string | null
  alt_key_lower: string | null
  account_id: string
  payment_method_id: string | null
  payment_link_id: string | null
  amount: number
  currency: string
  description: string | null
  frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  interval: number
  /** Number of charges in total; null for no limit. */
  count: number | null
  /** The last possible due time; null for no limit. */
  until: string | null
  /** Days of the free period before the first charge; null for none. */
  trial_days: number | null
  /** The first due time; later ones are computed from it. */
  anchor: string
  /** The time zone of due dates. */
  timezone: string
  next_due: string | null
  status: 'ACTIVE' | 'PAUSED' | 'ENDED' | 'CANCELLED'
  /** 0 until the first payment has an outcome; only the first charge exists until then. */
  started: number
  charges_total: number
  charges_paid: number
  /** Whom it belongs to; null while the instance has no legal entities. */
  legal_entity_id: string | null
  /** JSON of the consent of a link's payer; null where the merchant obtained it. */
  consent: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

export type ContractRow = Selectable<ContractsTable>
