import type { Kysely, Transaction } from 'kysely'
import { GroupCommitFailed } from './group-commit.ts'
import { isStalePlan } from './postgres-pool.ts'
import { DatabaseLocked } from './unreachable.ts'

const ATTEMPTS_MAX = 4
/** Milliseconds. Someone who has waited for a lock this long is told so, not kept. */
const RETRY_FOR_MS = 8000

const SERIALISATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_CODES = new Set(['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'])

export interface TransactionOptions {
  /**
   * PostgreSQL only; the default is its own, read committed. Needed by what reads, decides and
   * writes without a compare-and-set. On SQLite transactions run one after another anyway.
   */
  isolation?: 'repeatable read' | 'serializable' | undefined
}

/**
 * Runs `fn` in one transaction and resolves when that is durable. When the database could not
 * commit for a reason that says nothing about `fn` (a failed group, a lock held elsewhere, a
 * serialisation failure, a deadlock) it runs `fn` again, four times at most, and then throws that
 * error. A lost connection is not retried: whether it committed is unknown.
 *
 * Given a transaction, `fn` is part of it.
 *
 * So `fn` may run more than once: it awaits its own queries and nothing else, and changes nothing
 * outside the database. Prefer `UPDATE … WHERE … RETURNING` to reading first, and `ON CONFLICT` to
 * catching a violation, after which PostgreSQL refuses every further statement (architecture
 * section 9).
 */
export async function inTransaction<T, R>(
  db: Kysely<T>,
  fn: (trx: Transaction<T>) => Promise<R>,
  { isolation }: TransactionOptions = {},
): Promise<R> {
  // Inside a transaction it is part of that one, which alone can be begun again.
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
      const spent = attempt >= ATTEMPTS_MAX || performance.now() - startedAt > RETRY_FOR_MS
      if (spent || !isRetryable(error)) throw error
    }
  }
}

const afterCommits = new WeakMap<object, Set<() => void>>()

/**
 * Has `act` called once the transaction is durable, and never when it is undone. It may not throw.
 * Calls with the same function count once. For hints to this process alone: one that dies in
 * between has not called it.
 */
export function afterCommit<T>(trx: Transaction<T>, act: () => void): void {
  const acts = afterCommits.get(trx)
  if (acts) acts.add(act)
  else afterCommits.set(trx, new Set([act]))
}

/** Whether running the same transaction again may succeed, and cannot do anything twice. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof GroupCommitFailed || error instanceof DatabaseLocked) return true
  if (isStalePlan(error)) return true
  const code = codeOf(error)
  return code === SERIALISATION_FAILURE || code === DEADLOCK || code.startsWith('SQLITE_BUSY')
}

/** Whether a row broke a unique index or primary key. The transaction is lost on PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_CODES.has(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
