import { statSync } from 'node:fs'
import type { Log } from './group-commit.ts'
import type { Connection } from './sqlite-connection.ts'

/**
 * The write-ahead log of a SQLite file. The writing connection can truncate it between two
 * transactions while nothing reads the file.
 */
export function sqliteWal(path: string, writer: Connection, log: Log | undefined) {
  let isRequested = false

  function tryToTruncate(): void {
    isRequested = false
    try {
      // Returns a row when the file is in use, and throws only when the disk fails.
      writer.pragma('wal_checkpoint(truncate)')
    } catch (error) {
      log?.warn({ err: error }, 'the write-ahead log could not be truncated')
    }
  }

  return {
    /** In bytes; 0 without a file. */
    size: () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    /** Replaces the writer's own commit. */
    commit() {
      writer.commit()
      // Immediately, since the next transaction begins before anything else runs.
      if (isRequested) tryToTruncate()
    },
    /**
     * Tries once to truncate the log. `commitOne` commits a transaction after the running ones.
     */
    async truncate(commitOne: () => Promise<void>) {
      if (!writer.inTransaction()) return tryToTruncate()
      isRequested = true
      try {
        await commitOne()
      } catch {
        // A failing commit is reported to the transactions in it.
      } finally {
        isRequested = false
      }
    },
  }
}
