import type { Kysely } from 'kysely'

/** Long reads that do not delay other requests. */
export interface Reads<T> {
  /** The number of concurrent reads. Callers must not exceed it. */
  slots: number
  /**
   * Runs `work` in one read-only transaction with a consistent snapshot of everything committed.
   * Throws ReadTooSlow after READ_MS of database time, and ReadTooLarge beyond READ_BYTES.
   */
  read<R>(work: (db: Kysely<T>) => Promise<R>): Promise<R>
  close(): Promise<void>
}

/** Milliseconds of database time for one transaction. */
export const READ_MS = 2000
/** Bytes of all rows of one transaction. */
export const READ_BYTES = 10_000_000

export class ReadTooSlow extends Error {
  override readonly name = 'ReadTooSlow'

  constructor(options?: { cause: unknown }) {
    super(`a read takes more than ${READ_MS} ms of database time`, options)
  }
}

export class ReadTooLarge extends Error {
  override readonly name = 'ReadTooLarge'

  constructor() {
    super(`a read returns more than ${READ_BYTES} bytes`)
  }
}
