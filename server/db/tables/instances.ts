import type { Selectable } from 'kysely'

export interface MerchantsTable {
  id: string
  name: string
  created: string
}

export interface InstancesTable {
  id: string
  merchant_id: string
  key: string
  name: string
  mode: 'TEST' | 'LIVE'
  /** Key of the instance of the other mode, which names this one; null if there is none. */
  twin: string | null
  default_currency: string
  timezone: string | null
  languages: string | null
  allowed_origins: string
  theme: string | null
  link_saved_methods: number
  /** A decimal amount in the default currency. */
  step_up_refund: string | null
  /** A decimal amount in the default currency: what a support user may give back in one refund. */
  support_refund_max: string | null
  brandings: string
  /** Incremented by every change of strings; invalidates cached bundles. */
  strings_version: number
  /** Incremented by every change of legal entities and their routes; 0 while there are none. */
  legal_entities_version: number
  created: string
  updated: string
  v: number
  /** When an operator disabled it; null while enabled. */
  disabled: string | null
  /** How far the test clock is ahead of real time; null if it was never moved. */
  clock_offset_ms: number | null
  /** Target of a test clock that is moving; null otherwise. */
  clock_target: string | null
}

export type Instance = Selectable<InstancesTable>

export interface SecretKeysTable {
  id: string
  /** SHA-256, hex. The key itself is not stored. */
  hash: string
  instance_id: string
  /** Chosen by the merchant; null if none. */
  name: string | null
  /** Space-separated; null for everything. */
  scopes: string | null
  prefix: string
  last4: string
  created: string
  /** Null for a key that the command line made. */
  created_session: string | null
  /** Real time at which it stops to open the instance; null if never. */
  expires: string | null
  revoked: string | null
  /** Accurate to about a minute. */
  last_used: string | null
  /** JSON array of networks in CIDR notation; null for every address. */
  allowed_addresses: string | null
}
