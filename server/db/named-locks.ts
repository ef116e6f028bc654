import { type Kysely, sql, type Transaction } from 'kysely'
import { createFairQueue, type FairQueue } from '../fair-queue.ts'
import { isSqlite } from './dialect.ts'

/** The lock did not become free in time; the work under it was not started. */
export class LockTimeout extends Error {}

export interface NamedLocks<T> {
  /**
   * Runs `work` while it holds the lock `key`, or all locks of a list; waiters are served in order.
   * Throws LockTimeout when they are not free within `waitMs`. Running work is never interrupted.
   * `work` must use the database that it receives: on PostgreSQL, that is the connection that holds
   * the locks.
   */
  withLock<R>(
    key: string | readonly string[],
    options: { waitMs: number },
    work: (db: Kysely<T>) => Promise<R>,
  ): Promise<R>
}

const RETRY_MS = 25

/** Connections that locks may hold at once. The rest of the pool is for payments. */
const CONNECTIONS_MAX = 3

/**
 * Locks by name. Within a process, waiters queue in memory. On PostgreSQL the first of each queue
 * also takes an advisory lock, which excludes other server processes. It polls for that lock
 * without holding a connection.
 */
export function createNamedLocks<T>(db: Kysely<T>, kind: 'sqlite' | 'postgres'): NamedLocks<T> {
  const inProcess = createFairQueue({ slots: Infinity, slotsPerKey: 1 })
  const connections = createFairQueue({ slots: CONNECTIONS_MAX, slotsPerKey: 1 })
  return {
    withLock<R>(
      key: string | readonly string[],
      { waitMs }: { waitMs: number },
      work: (db: Kysely<T>) => Promise<R>,
    ) {
      const deadline = performance.now() + waitMs
      const act = () =>
        kind === 'sqlite' ? work(db) : withAdvisoryLocks({ db, connections }, keys, deadline, work)
      // In one order, so that two callers never wait for each other.
      const keys = [...new Set([key].flat())].toSorted()
      const queued = keys.reduceRight<() => Promise<R>>(
        (next, each) => () =>
          inProcess.run(each, next, {
            waitMs: Math.max(0, deadline - performance.now()),
            timedOut,
          }),
        act,
      )
      return queued()
    },
  }
}

const timedOut = () => new LockTimeout()

async function withAdvisoryLocks<T, R>(
  { db, connections }: { db: Kysely<T>; connections: FairQueue },
  keys: readonly string[],
  deadline: number,
  work: (db: Kysely<T>) => Promise<R>,
): Promise<R> {
  for (;;) {
    const attempt = () =>
      db.connection().execute(async (connection) => {
        const held: string[] = []
        try {
          for (const key of keys) {
            if (!(await tryAdvisoryLock(connection, key))) return undefined
            held.push(key)
          }
          return { result: await work(connection) }
        } finally {
          for (const key of held) {
            await sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`.execute(connection)
          }
        }
      })
    const waitMs = Math.max(0, deadline - performance.now())
    const ran = await connections.run(keys.join('\n'), attempt, { waitMs, timedOut })
    if (ran) return ran.result
    if (performance.now() >= deadline) throw new LockTimeout()
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

async function tryAdvisoryLock<T>(connection: Kysely<T>, key: string): Promise<boolean> {
  const { rows } = await sql<{ held: number | boolean }>`
    select pg_try_advisory_lock(hashtextextended(${key}, 0)) as held`.execute(connection)
  return Boolean(rows[0]?.held)
}

/**
 * Holds the lock `key` until the transaction ends. For find-or-create where no unique index decides
 * between concurrent callers. SQLite runs write transactions one after another and needs no lock.
 */
export async function advisoryLock<T>(trx: Transaction<T>, key: string): Promise<void> {
  if (isSqlite(trx)) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
}
