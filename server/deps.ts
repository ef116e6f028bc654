import type { Context } from 'hono'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { NamedLocks } from './db/named-locks.ts'
import type { AttemptRow, PaymentRow } from './db/tables/payments.ts'
import type { MethodSetupRow } from './db/tables/method-setups.ts'
import type { RefundRow } from './db/tables/refunds.ts'
import type { Db, Tables, Tx } from './db/tables.ts'
import type { Log } from './observe/log.ts'
import type { SecurityEvents } from './observe/security-events.ts'
import type { FailpointName } from './failpoint.ts'
import type { KeyedDigest } from './db/keyed-digest.ts'
import type { Processors } from './processors/registry.ts'

/** What every resource needs from outside. Tests pass their own clock and processors. */
export interface Deps extends Clock {
  db: Db
  listReads: ListReads
  config: Config
  log: Log
  /** Counts and logs refused requests. */
  security: SecurityEvents
  keyedDigest: KeyedDigest
  processors: Processors
  locks: NamedLocks<Tables>
  /** The number by which other processes on PostgreSQL see that this one is alive; null on SQLite. */
  owner: () => string | null
  onSettled: OnSettled
  onRefunded: OnRefunded
  lockSetup: LockSetup
  onSetupSettled: OnSetupSettled
  expand: Expander
  recordExport: RecordExport
  /** Kills the process at a named point in crash tests; otherwise does nothing. */
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

/**
 * Called in the transaction that records a successful refund for which no processor was asked. May run
 * more than once, as `inTransaction` does.
 */
export type OnRefunded = (deps: Deps, tx: Tx, refund: RefundRow) => Promise<void>

/**
 * Locks what the method of a set-up is for, in the transaction that saves it and before the method: what
 * else charges a method locks it last.
 */
export type LockSetup = (tx: Tx, setup: MethodSetupRow) => Promise<void>

/**
 * Applies an outcome of a set-up to what the method is for, in the transaction that records it: `setup`
 * has the saved method, is declined, or goes on. Returns what to do after the commit. May run more than
 * once, as `inTransaction` does. `now` is epoch milliseconds.
 */
export type OnSetupSettled = (
  deps: Deps,
  tx: Tx,
  setup: MethodSetupRow,
  now: number,
) => Promise<(() => Promise<void>) | undefined>

/** Writes into the audit log that the caller reads a list as a file. */
export type RecordExport = (
  c: Context,
  /** The fields of the criteria, and the number of rows. */
  exported: { list: string; fields: readonly string[]; rows: number },
) => Promise<void>

/** Runs the reads of lists in turns, so that one instance's lists do not slow down another's. */
export interface ListReads {
  /**
   * Runs `work` in the instance's turn, which lasts until the list's response is written, so that
   * the rows of only a few lists are in memory at once. `work` must not take a second turn. Returns
   * what `work` returns. Throws a 429 ApiError when too many lists of the instance wait or one has
   * waited too long.
   */
  inTurn<R>(instanceId: string, work: (turn: ListTurn) => Promise<R>): Promise<R>
}

/** The turn of an instance, in which alone its lists are read. */
export interface ListTurn {
  /**
   * Runs `work` in one read-only transaction and returns what it returns. Throws a 400 ApiError when
   * the query exceeds its time limit (`member` is the parameter that can narrow it) or the rows are
   * too large.
   */
  read<R>(
    member: 'criteria' | 'replay' | 'from' | 'q' | 'of',
    work: (db: Db) => Promise<R>,
  ): Promise<R>
}

export interface ExpandRequest {
  /** The resource of the records that are passed, such as `payment`. */
  kind: string
  instanceId: string
  /** The value of the parameter `expand`. */
  expand: string | undefined
}

/**
 * Returns copies of the records in which the ids that `expand` names are replaced by the records
 * they refer to. Throws a 400 ApiError for a name that cannot be expanded, even without records.
 */
export type Expander = <T extends object>(
  request: ExpandRequest,
  records: readonly T[],
) => Promise<T[]>
