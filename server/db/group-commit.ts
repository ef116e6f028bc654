import { DatabaseLocked, isSqliteBusy } from './unreachable.ts'

/** A subset of pino's logger. */
export interface Log {
  warn(fields: object, message: string): void
}

/** The writing connection. Every call is synchronous and may throw. */
export interface Writer {
  begin(): void
  savepoint(): void
  release(): void
  rollbackToSavepoint(): void
  commit(): void
  rollback(): void
  inTransaction(): boolean
}

/** A transaction of one caller. It has the writer to itself and shares its COMMIT with others. */
export interface LogicalTransaction {
  /** Runs one statement. `sql` is for warnings only. */
  run<R>(sql: string, statement: () => R): R
  /** Resolves when the transaction is durable, and never before. */
  commit(): Promise<void>
  /** Rolls back this transaction alone. Resolves when what it has read is durable. */
  rollback(): Promise<void>
}

export interface GroupCommit {
  /** Waits for the writer and starts a logical transaction on it. */
  begin(): Promise<LogicalTransaction>
  /** Rejects new transactions and resolves when the running ones have ended. */
  drain(): Promise<void>
  counts(): { commits: number; transactions: number }
}

/**
 * The group of a transaction was not committed; all its members are rolled back. The transaction may
 * be run again, as after a serialization failure.
 */
export class GroupCommitFailed extends Error {
  override readonly name = 'GroupCommitFailed'
  readonly retryable = true

  constructor(cause: unknown) {
    super('the transactions of this group could not be committed', { cause })
  }
}

/** The transaction was rolled back because it waited for something other than its own queries. */
export class TransactionHeldTooLong extends Error {
  override readonly name = 'TransactionHeldTooLong'

  constructor(heldMs: number, lastSql: string | undefined) {
    super(
      `a transaction was open for ${Math.round(heldMs)} ms and was rolled back: a transaction ` +
        `must await its own queries only (last one: ${lastSql ?? 'none'})`,
    )
  }
}

interface Limits {
  /** Logical transactions per COMMIT; 1 disables grouping. */
  membersMax: number
  /** Milliseconds that another process may hold the write lock. */
  busyMs: number
  /** Milliseconds after which an open transaction is logged. */
  slowMs: number
  /** Milliseconds after which an open transaction is rolled back. */
  heldMs: number
}

const LIMITS: Limits = { membersMax: 256, busyMs: 5000, slowMs: 50, heldMs: 5000 }
const BUSY_RETRY_MS = 15

interface GroupCommitOptions {
  log?: Log | undefined
  isServing?: (() => boolean) | undefined
}

interface Member {
  startedAt: number
  slowLogged: boolean
  done: boolean
  lastSql?: string
  timer?: NodeJS.Timeout
  /** Set when the transaction was rolled back from outside; its further calls throw this. */
  lost?: Error
}

type Pending<T> = Pick<PromiseWithResolvers<T>, 'resolve' | 'reject'>

/**
 * Runs logical transactions strictly one after another on one connection and commits them
 * together, because a COMMIT costs an fsync and a savepoint costs a microsecond. The first of a
 * burst begins the real transaction. When none is waiting, or at `membersMax`, one COMMIT ends it,
 * and only then do the members resolve.
 *
 * A transaction that fails rolls back to its savepoint alone. It also settles after the COMMIT,
 * since it may have failed over a row that is not durable yet. When the COMMIT fails, or SQLite
 * rolls back the whole transaction, all members reject with `GroupCommitFailed`. The next ones run
 * alone for a while, so that one which can never commit (a deferred foreign key) does not fail
 * others again.
 *
 * While a transaction waits for anything but its queries, all others wait for it. That is logged
 * after `slowMs`; after `heldMs` the transaction is rolled back (`TransactionHeldTooLong`).
 */
export function groupCommit(
  writer: Writer,
  { log, isServing, ...overrides }: Partial<Limits> & GroupCommitOptions = {},
): GroupCommit {
  const limits = { ...LIMITS, ...overrides }
  const queue: Pending<LogicalTransaction>[] = []
  const settling: Pending<void>[] = []
  let current: Member | undefined
  let open = false
  let busySince: number | undefined
  let busyTimer: NodeJS.Timeout | undefined
  let runAlone = 0
  let flushPlanned = false
  let drained: PromiseWithResolvers<void> | undefined
  const counts = { commits: 0, transactions: 0 }

  function proceed(): void {
    if (current || busyTimer) return
    if (queue.length === 0) {
      if (open) planFlush()
      else drained?.resolve()
      return
    }
    if (!open && !beginGroup()) return
    start()
  }

  function beginGroup(): boolean {
    try {
      writer.begin()
      open = true
      busySince = undefined
      return true
    } catch (error) {
      busySince ??= performance.now()
      if (isSqliteBusy(error) && performance.now() - busySince < limits.busyMs) {
        // Wait on a timer and not inside SQLite, so that the event loop keeps running.
        busyTimer = setTimeout(() => {
          busyTimer = undefined
          proceed()
        }, BUSY_RETRY_MS)
      } else {
        busySince = undefined
        // Reject all of them: one after another they would wait for minutes.
        const failure = isSqliteBusy(error) ? new DatabaseLocked(error) : error
        for (const waiting of queue.splice(0)) waiting.reject(failure)
        drained?.resolve()
      }
      return false
    }
  }

  function start(): void {
    try {
      writer.savepoint()
    } catch (error) {
      // Remove it from the queue first, or it would fail forever.
      queue.shift()?.reject(new GroupCommitFailed(error))
      fail(error)
      return
    }
    const member: Member = { startedAt: performance.now(), slowLogged: false, done: false }
    current = member
    counts.transactions += 1
    planFlush()
    queue.shift()?.resolve(transactionOf(member))
  }

  function transactionOf(member: Member): LogicalTransaction {
    return {
      run(sql, statement) {
        if (member.lost) throw member.lost
        if (member.done) throw new Error('the transaction has already ended')
        member.lastSql = sql
        try {
          return statement()
        } catch (error) {
          if (writer.inTransaction()) throw error
          fail(error)
          throw member.lost ?? error
        }
      },
      commit: () => end(member, () => writer.release()),
      rollback: () => end(member, undo),
    }
  }

  function undo(): void {
    writer.rollbackToSavepoint()
    writer.release()
  }

  function end(member: Member, finish: () => void): Promise<void> {
    if (member.lost) return Promise.reject(member.lost)
    if (member.done) return Promise.resolve()
    member.done = true
    clearTimeout(member.timer)
    warnIfSlow(member)
    return new Promise((resolve, reject) => {
      settling.push({ resolve, reject })
      if (!attempt(finish)) return
      current = undefined
      if (settling.length >= (runAlone > 0 ? 1 : limits.membersMax)) commit()
      proceed()
    })
  }

  // One turn of the event loop later, so that concurrent requests share the COMMIT.
  function planFlush(): void {
    if (flushPlanned) return
    flushPlanned = true
    setImmediate(() => {
      flushPlanned = false
      if (current) return watch(current)
      if (open) commit()
      proceed()
    })
  }

  function commit(): void {
    if (!attempt(() => writer.commit())) return
    open = false
    counts.commits += 1
    if (runAlone > 0) runAlone -= 1
    for (const member of settling.splice(0)) member.resolve()
  }

  function attempt(command: () => void): boolean {
    try {
      command()
      return true
    } catch (error) {
      fail(error)
      return false
    }
  }

  function fail(cause: unknown): void {
    const error = new GroupCommitFailed(cause)
    try {
      if (writer.inTransaction()) writer.rollback()
    } catch (rollbackError) {
      log?.warn({ err: rollbackError }, 'rolling back a failed group of transactions failed')
    }
    open = false
    const failed = settling.splice(0)
    runAlone = Math.max(runAlone, failed.length + 1)
    if (current && !current.done) {
      current.lost = error
      clearTimeout(current.timer)
    }
    current = undefined
    for (const member of failed) member.reject(error)
    proceed()
  }

  // A timer only for a transaction that outlives a turn of the event loop; queries end within one.
  function watch(member: Member): void {
    if (member.timer) return
    member.timer = setTimeout(() => {
      warnIfSlow(member)
      member.timer = setTimeout(() => rollBackHeld(member), limits.heldMs - limits.slowMs)
    }, limits.slowMs)
  }

  function rollBackHeld(member: Member): void {
    member.lost = new TransactionHeldTooLong(performance.now() - member.startedAt, member.lastSql)
    current = undefined
    if (attempt(undo)) proceed()
  }

  function warnIfSlow(member: Member): void {
    const heldMs = performance.now() - member.startedAt
    if (member.slowLogged || heldMs < limits.slowMs || isServing?.() === false) return
    member.slowLogged = true
    log?.warn(
      { heldMs: Math.round(heldMs), lastSql: member.lastSql, waiting: queue.length },
      'a database transaction is open for too long; all other writes wait for it',
    )
  }

  return {
    begin() {
      if (drained) return Promise.reject(new Error('the database is closed'))
      return new Promise((resolve, reject) => {
        queue.push({ resolve, reject })
        proceed()
      })
    },
    drain() {
      drained ??= Promise.withResolvers()
      proceed()
      return drained.promise
    },
    counts: () => ({ ...counts }),
  }
}
