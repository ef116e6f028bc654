import type { Selectable } from 'kysely'

/** Requests with an `Idempotency-Key` header. */
export interface IdempotencyKeysTable {
  instance_id: string
  path: string
  key: string
  /** Keyed digest of method, path and body. */
  request_hash: string
  /** The created record; its present state is the response while `body` is null. */
  record_id: string | null
  status: number | null
  body: string | null
  /** Lease of the first request. */
  busy_until: string
  expires: string
  created: string
}

export type KeyRow = Selectable<IdempotencyKeysTable>
