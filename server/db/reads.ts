import type { Kysely } from 'kysely'

/**
 * Reading that may take long without holding up anything else: what one caller asks for must not
 * cost the time of another.
 */
export interface Reads<T> {
  /** How many may read at once. */
  slots: number
  /**
   * Runs `work` in one transaction that only reads: all that it sees is of one moment, and it sees
   * everything that was committed before. Throws ReadTooSlow when the database has worked for it
   * for READ_MS, and ReadTooLarge for rows of more than READ_BYTES; what ran is ended.
   * At most `places` at once: more would wait here in no order.
   */
  read<R>(work: (db: Kysely<T>) => Promise<R>): Promise<R>
  close(): Promise<void>
}

/** Milliseconds that the database may work for one reading transaction. */
export const READ_MS = 2000
/** Bytes that the rows of one reading transaction may have in all. */
export const READ_BYTES = 10_000_000

/** A reading transaction has used up its time. */
export class ReadTooSlow extends Error {
  override readonly name = 'ReadTooSlow'

  constructor(options?: { cause: unknown }) {
    super(`a read needs more than ${READ_MS} ms of the database`, options)
  }
}

/** The rows of a reading transaction are too many bytes. */
export class ReadTooLarge extends Error {
  override readonly name = 'ReadTooLarge'

  constructor() {
    super(`a read is of more than ${READ_BYTES} bytes`)
  }
}
