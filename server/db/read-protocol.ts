/** Messages between the server's thread and the threads that read a SQLite file for it. */

/** The SQL function by which a statement checks its deadline: returns 1 or throws. */
export const CLOCK_FUNCTION = 'in_time'

export interface ReaderData {
  path: string
  /** One number that is set to 1 to end the current read. */
  stop: SharedArrayBuffer
}

export type ReadRequest =
  /** Begins a transaction that may use the database for `ms` and return `bytes` in total. */
  | { id: number; do: 'begin'; ms: number; bytes: number }
  | { id: number; do: 'read'; sql: string; parameters: readonly unknown[] }
  | { id: number; do: 'end' }
  | { id: number; do: 'close' }

export type ReadResponse =
  | { id: number; rows: unknown[] }
  | { id: number; refused: 'TOO_SLOW' | 'TOO_LARGE' }
  /** A cloned Error would lose SQLite's code. */
  | { id: number; failed: { message: string; code: unknown } }
