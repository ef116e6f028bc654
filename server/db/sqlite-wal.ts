import { statSync } from 'node:fs'
import type { Log } from './group-commit.ts'
import type { Connection } from './sqlite-connection.ts'

/**
 * The write-ahead log of a SQLite file, as the one connection that writes can empty it: between two
 * transactions, and while nothing reads the file.
 */
export function sqliteWal(path: string, writer: Connection, log: Log | undefined) {
  let isDue = false

  function tryToEmpty(): void {
    isDue = false
    try {
      // Says in a row that it found the file in use, and throws only when the disk fails.
      writer.pragma('wal_checkpoint(truncate)')
    } catch (error) {
      log?.warn({ err: error }, 'the write-ahead log could not be emptied')
    }
  }

  return {
    /** Bytes of its file; 0 when there is none. */
    size: () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    /** Commits, in place of the writer's own; throws what that throws. */
    commit() {
      writer.commit()
      // At once, since the next transaction begins before anything else runs.
      if (isDue) tryToEmpty()
    },
    /**
     * Tries once to empty the log, and resolves then. `commitOne` has a transaction committed, after
     * those that have begun.
     */
    async empty(commitOne: () => Promise<void>) {
      if (!writer.inTransaction()) return tryToEmpty()
      isDue = true
      try {
        await commitOne()
      } catch {
        // What cannot be committed now is told to those who have something to commit.
      } finally {
        isDue = false
      }
    },
  }
}
