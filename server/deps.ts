import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Locks } from './db/locks.ts'
import type { AttemptRow, PaymentRow } from './db/rows.ts'
import type { Db, Tables, Tx } from './db/tables.ts'
import type { Log } from './observe/log.ts'
import type { HasDiskSpace } from './observe/disk-space.ts'
import type { SecurityEvents } from './observe/security-events.ts'
import type { PageRenderer } from './pay-page/document.ts'
import type { FailpointName } from './failpoint.ts'
import type { Expander } from './http/expand.ts'
import type { KeyedDigest } from './keyed-digest.ts'
import type { ListReads } from './http/list-reads.ts'
import type { RequestRateLimits } from './rate-limits/token-bucket-sync.ts'
import type { Processor } from './processors/port.ts'

/** What the product's verbs need from outside; tests hand in their own clock and processors. */
export interface Deps extends Clock {
  db: Db
  /** Reads what may take long, so that no merchant slows another. */
  listReads: ListReads
  config: Config
  log: Log
  /** Counts and logs what is refused in the server's defence. */
  security: SecurityEvents
  keyedDigest: KeyedDigest
  /** By name, in the order in which their methods are offered. */
  processors: ReadonlyMap<string, Processor>
  locks: Locks<Tables>
  /** By what number other processes on PostgreSQL see that this one is alive; null without. */
  owner: () => string | null
  /** False while the disk is too full to begin anything new. */
  hasDiskSpace: HasDiskSpace
  page: PageRenderer
  rateLimits: RequestRateLimits
  onSettled: OnSettled
  /** Replaces ids by records, where `expand` asks for it. */
  expand: Expander
  /** Ends the process at a named point when a crash test asks for it; otherwise nothing. */
  failpoint: (name: FailpointName) => void
}

/** An attempt whose outcome is being recorded, with its payment, both as they are then. */
export interface SettledAttempt {
  attempt: AttemptRow
  payment: PaymentRow
  /** Epoch milliseconds. */
  now: number
}

/**
 * Applies an outcome to what the payment was made for, in the transaction that records the outcome.
 * Returns what to do after the commit. May run more than once, as `inTransaction` does.
 */
export type OnSettled = (
  deps: Deps,
  tx: Tx,
  settled: SettledAttempt,
) => Promise<(() => Promise<void>) | undefined>
