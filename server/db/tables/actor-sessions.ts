import type { Selectable } from 'kysely'

/** One row per actor, client and day. */
export interface ActorSessionsTable {
  id: string
  instance_id: string
  /** SHA-256 of the actor, its credential and client, and the day. */
  fingerprint: string
  type: 'API_KEY' | 'OAUTH' | 'USER' | 'CHECKOUT' | 'SYSTEM'
  user_id: string | null
  client_id: string | null
  /** The secret key of an API_KEY; null for sessions from before it was recorded. */
  key_id: string | null
  checkout_id: string | null
  ip: string | null
  user_agent: string | null
  created: string
}

export type ActorSessionRow = Selectable<ActorSessionsTable>
