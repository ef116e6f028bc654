/** What the server's thread and those that read a SQLite file for it say to each other. */

/** The SQL function by which a statement looks at the clock: always 1, or it ends the statement. */
export const CLOCK_FUNCTION = 'in_time'

export interface ReaderData {
  path: string
  /** One number that other threads set to 1 to end whatever is being read. */
  stop: SharedArrayBuffer
}

export type Asked =
  /** Begins a transaction that may use the database for `ms` and answer `bytes` in all. */
  | { id: number; do: 'begin'; ms: number; bytes: number }
  | { id: number; do: 'read'; sql: string; parameters: readonly unknown[] }
  | { id: number; do: 'end' }
  | { id: number; do: 'close' }

export type Answered =
  | { id: number; rows: unknown[] }
  | { id: number; refused: 'TOO_SLOW' | 'TOO_LARGE' }
  /** A clone of an error would have lost the code that SQLite gave it. */
  | { id: number; failed: { message: string; code: unknown } }
