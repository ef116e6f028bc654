import type { Config } from './config.ts'
import type { Locks } from './db/locks.ts'
import type { Db, Tables } from './db/tables.ts'
import type { Log } from './observe/log.ts'
import type { PageRenderer } from './checkouts/page.ts'
import type { Processor } from './processors/port.ts'

/** What the product's verbs need from outside; tests hand in their own clock and processors. */
export interface Deps {
  db: Db
  config: Config
  log: Log
  /** Epoch milliseconds. */
  now: () => number
  /** By name, in the order in which their methods are offered. */
  processors: ReadonlyMap<string, Processor>
  locks: Locks<Tables>
  page: PageRenderer
  /** Ends the process at a named point when a crash test asks for it; otherwise nothing. */
  failpoint: (name: string) => void
}
