import type { Selectable } from 'kysely'

/** Token buckets that all processes share (server/rate-limits/token-bucket.ts). */
export interface BucketsTable {
  name: string
  key: string
  /** When the bucket is full again, epoch milliseconds. */
  full_again: number
}

export interface LimitCountersTable {
  /** The limit, such as `sign-in-user`. */
  name: string
  /** An id, a hash or the network of an address. */
  key: string
  /** Start of a fixed window; empty for a counter without windows. */
  window_start: string
  count: number
  updated: string
  /** Rows past this time are ignored. */
  expires: string
}

export type CounterRow = Selectable<LimitCountersTable>
