import { withTimeout } from '../timeout.ts'
import { DatabaseUnreachable } from './unreachable.ts'

/** The database did not respond within its own statement timeout: it hangs, or the network does. */
export class DatabaseTimeout extends DatabaseUnreachable {
  override readonly name = 'DatabaseTimeout'

  constructor(ms: number) {
    super(`the database has not responded for ${ms} ms`)
  }
}

/** Limits the statements of one connection. */
export interface QueryTimeout {
  /** Throws DatabaseTimeout without a response in time, and for every later statement. */
  run<R>(sql: string, query: () => Promise<R>): Promise<R>
  /** A late response would be taken for that of the next statement, so close the connection. */
  hasTimedOut(): boolean
}

const LIFTS_LIMIT = /^\s*set local statement_timeout = 0\s*$/i
const ENDS_TRANSACTION = /^\s*(commit|rollback)\s*$/i

/** A transaction that lifts the server's statement timeout, as a migration does, lifts this one too. */
export function createQueryTimeout(ms: number): QueryTimeout {
  let lifted = false
  let timedOut: DatabaseTimeout | undefined
  return {
    async run(sql, query) {
      if (timedOut) throw timedOut
      if (LIFTS_LIMIT.test(sql)) lifted = true
      try {
        return await (lifted ? query() : withTimeout(query(), ms, () => new DatabaseTimeout(ms)))
      } catch (error) {
        if (error instanceof DatabaseTimeout) timedOut = error
        throw error
      } finally {
        if (ENDS_TRANSACTION.test(sql)) lifted = false
      }
    },
    hasTimedOut: () => timedOut !== undefined,
  }
}
