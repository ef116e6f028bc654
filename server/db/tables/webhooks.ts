import type { Selectable } from 'kysely'

export interface WebhookEndpointsTable {
  id: string
  instance_id: string
  url: string
  url_lower: string | null
  /** JSON array of event types, `prefix.*` or `*`. */
  events: string
  enabled: number
  description: string | null
  description_lower: string | null
  /** Signing secret (`whsec_…`), stored in plain text because deliveries are signed with it. */
  secret: string
  /** Also signs until `previous_until`, during a rotation. */
  previous_secret: string | null
  previous_until: string | null
  /** Start of the present run of failures; null after a success. */
  failing_since: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

export type DeliveryError =
  | 'ADDRESS_REFUSED'
  | 'BAD_STATUS'
  | 'CONNECTION_FAILED'
  | 'DNS_FAILED'
  | 'REDIRECT'
  | 'TIMEOUT'
  | 'TLS_FAILED'

/** Unique per event and endpoint. */
export interface DeliveriesTable {
  id: string
  instance_id: string
  endpoint_id: string
  event_id: string
  status: 'WAITING' | 'DELIVERED' | 'FAILED'
  attempts: number
  /** Null once delivered or failed. */
  next_attempt: string | null
  /** Lease of the sending process. */
  leased_until: string | null
  last_attempt: string | null
  response_status: number | null
  /** Reason of the last failure; null after a success. */
  error: DeliveryError | null
  delivered: string | null
  created: string
  updated: string
}

export type DeliveryRow = Selectable<DeliveriesTable>
