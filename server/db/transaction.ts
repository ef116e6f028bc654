import type { Kysely, Transaction } from 'kysely'
import { GroupCommitFailed } from './group-commit.ts'
import { DatabaseLocked, isSqliteBusy } from './unreachable.ts'

const ATTEMPTS_MAX = 4
/** Milliseconds after which a failed transaction is not run again. */
const RETRY_WINDOW_MS = 8000

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_CODES = new Set(['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'])

export interface TransactionOptions {
  /** PostgreSQL only; the default is read committed. SQLite transactions run one after another. */
  isolation?: 'repeatable read' | 'serializable' | undefined
}

/**
 * Runs `fn` in one transaction and resolves when it is durable. After a failure that does not depend
 * on `fn` (a failed group, a lock, a serialization failure, a deadlock) it runs `fn` again, four
 * times at most. A lost connection is not retried, since the commit may have happened.
 *
 * When `db` is a transaction already, `fn` becomes part of it.
 *
 * `fn` may run more than once, so it must await its own queries only and must not change anything
 * outside the database. Prefer `UPDATE … WHERE … RETURNING` to reading first, and `ON CONFLICT` to
 * catching a violation, after which PostgreSQL rejects further statements.
 */
export async function inTransaction<T, R>(
  db: Kysely<T>,
  fn: (trx: Transaction<T>) => Promise<R>,
  { isolation }: TransactionOptions = {},
): Promise<R> {
  if (db.isTransaction) return fn(db as Transaction<T>)
  const begin = db.transaction()
  const builder = isolation ? begin.setIsolationLevel(isolation) : begin
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { result, committed } = await builder.execute(async (trx) => ({
        result: await fn(trx),
        committed: afterCommits.get(trx),
      }))
      for (const act of committed ?? []) act()
      return result
    } catch (error) {
      const spent = attempt >= ATTEMPTS_MAX || performance.now() - startedAt > RETRY_WINDOW_MS
      if (spent || !isRetryable(error)) throw error
    }
  }
}

const afterCommits = new WeakMap<object, Set<() => void>>()

/**
 * Calls `act` after the transaction has committed. `act` must not throw; the same function is called
 * once. Only for hints within this process, since a crash in between loses the call.
 */
export function afterCommit<T>(trx: Transaction<T>, act: () => void): void {
  const acts = afterCommits.get(trx)
  if (acts) acts.add(act)
  else afterCommits.set(trx, new Set([act]))
}

/** Whether the transaction is rolled back and running it again may succeed. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof GroupCommitFailed || error instanceof DatabaseLocked) return true
  if (isStalePlan(error)) return true
  const code = codeOf(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK || isSqliteBusy(error)
}

/** Whether a migration of another process changed the columns of a prepared statement. */
export function isStalePlan(error: unknown): boolean {
  return (
    codeOf(error) === '0A000' &&
    (error as { routine?: unknown }).routine === 'RevalidateCachedQuery'
  )
}

/** On PostgreSQL the transaction is lost after a violation. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_CODES.has(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
