import { withTimeout } from '../timeout.ts'
import { DatabaseUnreachable } from './unreachable.ts'

/**
 * The database said nothing for longer than it lets a statement take: it hangs, or the network
 * swallows what is sent.
 */
export class DatabaseTimeout extends DatabaseUnreachable {
  override readonly name = 'DatabaseSilent'

  constructor(ms: number) {
    super(`the database has given no answer for ${ms} ms`)
  }
}

/** How long the statements of one connection are waited for. */
export interface QueryTimeout {
  /** Asks, and throws DatabaseSilent when no answer comes; nothing is asked from then on. */
  wait<R>(sql: string, ask: () => Promise<R>): Promise<R>
  /** Its late answer would be taken for that of the next statement, so the connection has to go. */
  isOver(): boolean
}

const LIFTS = /^\s*set local statement_timeout = 0\s*$/i
const ENDS = /^\s*(commit|rollback)\s*$/i

/**
 * Waits for `ms` at most. A transaction that lifts the server's own limit, as a migration does, has
 * lifted this one too.
 */
export function createQueryTimeout(ms: number): QueryTimeout {
  let lifted = false
  let silent: DatabaseTimeout | undefined
  return {
    async wait(sql, ask) {
      if (silent) throw silent
      if (LIFTS.test(sql)) lifted = true
      try {
        return await (lifted ? ask() : withTimeout(ask(), ms, () => new DatabaseTimeout(ms)))
      } catch (error) {
        if (error instanceof DatabaseTimeout) silent = error
        throw error
      } finally {
        if (ENDS.test(sql)) lifted = false
      }
    },
    isOver: () => silent !== undefined,
  }
}
