import type { Selectable } from 'kysely'

/** A processor that an instance has connected, with the credentials of the merchant's account there. */
export interface ProcessorConnectionsTable {
  id: string
  instance_id: string
  /** The adapter, such as `stripe`. */
  name: string
  status: 'ACTIVE' | 'BROKEN' | 'DISABLED'
  publishable_key: string
  /** Encrypted, as every secret here (`server/encryption.ts`). */
  secret_key: string
  /** Beginning and end of the secret key. */
  key_hint: string
  /** The processor's id of the merchant's account; null if unknown. */
  account: string | null
  /** The processor's id of the webhook endpoint; null if the merchant made it. */
  webhook_endpoint: string | null
  webhook_secret: string | null
  /** Also verifies notifications until `previous_until`, during a rotation. */
  previous_webhook_secret: string | null
  previous_until: string | null
  /** When the last authentic notification came. */
  last_heard: string | null
  /** JSON. */
  settings: string
  /** Calls in a row that the processor refused to authenticate. */
  failures: number
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

export type ProcessorConnectionRow = Selectable<ProcessorConnectionsTable>

/** The journal of adapters whose processor takes several calls for an operation. */
export interface ProcessorOperationsTable {
  connection_id: string
  operation: string
  /** CANCEL: the operation was canceled before it began and must not begin. */
  kind: 'PAY' | 'AUTHORISE' | 'CAPTURE' | 'REFUND' | 'VOID' | 'SETUP' | 'CANCEL'
  reference: string | null
  content_hash: string
  amount: number
  currency: string
  reason: string | null
  created: string
}

/** Notifications that were received, to recognize those that are sent again. */
export interface ProcessorNoticesTable {
  connection_id: string
  id: string
  received: string
}
