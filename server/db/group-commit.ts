import { DatabaseLocked } from './unreachable.ts'

/** Where a warning goes; pino's logger fits. */
export interface Log {
  warn(fields: object, message: string): void
}

/** What group commit needs of the writing connection. Every call is synchronous and may throw. */
export interface Writer {
  begin(): void
  savepoint(): void
  release(): void
  rollbackToSavepoint(): void
  commit(): void
  rollback(): void
  inTransaction(): boolean
}

/** One logical transaction while it has the writer to itself. */
export interface Turn {
  /** Runs one statement. `sql` only names it in warnings. */
  run<R>(sql: string, statement: () => R): R
  /** Resolves when the transaction is durable, and never before. */
  commit(): Promise<void>
  /** Undoes this transaction alone. Resolves when what it has read is durable. */
  rollback(): Promise<void>
}

export interface GroupCommit {
  /** Waits for the writer and starts a logical transaction on it. */
  enter(): Promise<Turn>
  /** Refuses new transactions and resolves when those already begun have ended. */
  drain(): Promise<void>
  counts(): { commits: number; transactions: number }
}

/**
 * The group that a transaction belonged to was not committed: nothing of it was kept, and nothing
 * of the others either. Running the transaction again is right, as after a serialisation failure.
 */
export class GroupCommitFailed extends Error {
  override readonly name = 'GroupCommitFailed'
  readonly retryable = true

  constructor(cause: unknown) {
    super('the transactions of this group could not be committed', { cause })
  }
}

/** The transaction was undone, because it waited for something other than its own queries. */
export class TransactionHeldTooLong extends Error {
  override readonly name = 'TransactionHeldTooLong'

  constructor(heldMs: number, lastSql: string | undefined) {
    super(
      `a transaction was open for ${Math.round(heldMs)} ms and has been undone: inside one, ` +
        `await nothing but its own queries (last one: ${lastSql ?? 'none'})`,
    )
  }
}

interface Limits {
  /** Logical transactions in one COMMIT; 1 switches grouping off. */
  membersMax: number
  /** Milliseconds that another process may keep the write lock before we give up. */
  busyMs: number
  /** Milliseconds after which an open transaction is warned about. */
  slowMs: number
  /** Milliseconds after which an open transaction is undone, so that others are not held up. */
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
  slowTold: boolean
  done: boolean
  lastSql?: string
  timer?: NodeJS.Timeout
  /** Set when the transaction was taken away; everything it does from then on fails with this. */
  lost?: Error
}

type Pending<T> = Pick<PromiseWithResolvers<T>, 'resolve' | 'reject'>

/**
 * Runs logical transactions strictly one after another on one connection and commits them
 * together, because a COMMIT costs an fsync and a savepoint costs a microsecond
 * (architecture section 9). The first of a burst begins the real transaction; when nobody is
 * waiting any more, or at `membersMax`, one COMMIT ends it and only then is anyone answered.
 *
 * A transaction that fails goes back to its savepoint alone. It is answered after the COMMIT too,
 * since it may have failed over a row that is not durable yet. When the COMMIT fails, or SQLite
 * gave up the whole transaction by itself, all members reject with `GroupCommitFailed`; the next
 * ones run alone for a while, so that one which cannot be committed at all (a deferred foreign
 * key) harms nobody else a second time.
 *
 * While a transaction waits for something foreign, everyone else waits for it. That is warned
 * about after `slowMs`, and after `heldMs` the transaction is undone (`TransactionHeldTooLong`).
 */
export function groupCommit(
  writer: Writer,
  { log, isServing, ...given }: Partial<Limits> & GroupCommitOptions = {},
): GroupCommit {
  const limits = { ...LIMITS, ...given }
  const queue: Pending<Turn>[] = []
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
    if (!open && !begin()) return
    start()
  }

  function begin(): boolean {
    try {
      writer.begin()
      open = true
      busySince = undefined
      return true
    } catch (error) {
      busySince ??= performance.now()
      if (isBusy(error) && performance.now() - busySince < limits.busyMs) {
        // Waiting on a timer and not inside SQLite: pages are served and reads answered meanwhile.
        busyTimer = setTimeout(() => {
          busyTimer = undefined
          proceed()
        }, BUSY_RETRY_MS)
      } else {
        busySince = undefined
        // All of them met the same obstacle; one after another they would wait for minutes.
        const told = isBusy(error) ? new DatabaseLocked(error) : error
        for (const waiting of queue.splice(0)) waiting.reject(told)
        drained?.resolve()
      }
      return false
    }
  }

  function start(): void {
    try {
      writer.savepoint()
    } catch (error) {
      // Taken out of the queue first, or it would meet the same error for ever.
      queue.shift()?.reject(new GroupCommitFailed(error))
      fail(error)
      return
    }
    const member: Member = { startedAt: performance.now(), slowTold: false, done: false }
    current = member
    counts.transactions += 1
    planFlush()
    queue.shift()?.resolve(turn(member))
  }

  function turn(member: Member): Turn {
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
    tellIfSlow(member)
    return new Promise((resolve, reject) => {
      settling.push({ resolve, reject })
      if (!attempt(finish)) return
      current = undefined
      if (settling.length >= (runAlone > 0 ? 1 : limits.membersMax)) commit()
      proceed()
    })
  }

  // One turn of the event loop later: requests that arrived together share the COMMIT.
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

  // Only who outlives a turn of the event loop gets a timer: queries end within one.
  function watch(member: Member): void {
    if (member.timer) return
    member.timer = setTimeout(() => {
      tellIfSlow(member)
      member.timer = setTimeout(() => takeAway(member), limits.heldMs - limits.slowMs)
    }, limits.slowMs)
  }

  function takeAway(member: Member): void {
    member.lost = new TransactionHeldTooLong(performance.now() - member.startedAt, member.lastSql)
    current = undefined
    if (attempt(undo)) proceed()
  }

  function tellIfSlow(member: Member): void {
    const heldMs = performance.now() - member.startedAt
    if (member.slowTold || heldMs < limits.slowMs || isServing?.() === false) return
    member.slowTold = true
    log?.warn(
      { heldMs: Math.round(heldMs), lastSql: member.lastSql, waiting: queue.length },
      'a database transaction is open for long; everyone who writes waits for it',
    )
  }

  return {
    enter() {
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}
