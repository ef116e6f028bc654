import { type Kysely, sql, type Transaction } from 'kysely'
import { withTimeout } from '../timeout.ts'
import { isSqlite } from './dialect.ts'

/** The lock did not become free in time; the work under it was not started. */
export class LockTimeout extends Error {}

export interface NamedLocks<T> {
  /**
   * Runs `work` while it holds the lock `key`; waiters are served in order. Throws LockTimeout
   * when the lock is not free within `waitMs`. Running work is never interrupted. `work` must use
   * the database that it receives: on PostgreSQL, that is the connection that holds the lock.
   */
  withLock<R>(
    key: string,
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
  const connections = createSemaphore(CONNECTIONS_MAX)
  const tails = new Map<string, Promise<void>>()
  return {
    async withLock(key, { waitMs }, work) {
      const deadline = performance.now() + waitMs
      const before = tails.get(key) ?? Promise.resolve()
      let release = () => {}
      const released = new Promise<void>((resolve) => (release = resolve))
      const tail = before.then(() => released)
      tails.set(key, tail)
      // A waiter that gave up still stands behind the holder, so wait for both.
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
      try {
        await beforeDeadline(before, deadline)
        return kind === 'sqlite'
          ? await work(db)
          : await withAdvisoryLock({ db, connections }, key, deadline, work)
      } finally {
        release()
      }
    },
  }
}

async function beforeDeadline(ready: Promise<void>, deadline: number): Promise<void> {
  await withTimeout(ready, deadline - performance.now(), () => new LockTimeout())
}

async function withAdvisoryLock<T, R>(
  { db, connections }: { db: Kysely<T>; connections: Semaphore },
  key: string,
  deadline: number,
  work: (db: Kysely<T>) => Promise<R>,
): Promise<R> {
  const id = sql`hashtextextended(${key}, 0)`
  for (;;) {
    const ran = await connections.run(deadline, () =>
      db.connection().execute(async (connection) => {
        const { rows } = await sql<{ held: number | boolean }>`
          select pg_try_advisory_lock(${id}) as held`.execute(connection)
        if (!rows[0]?.held) return undefined
        try {
          return { result: await work(connection) }
        } finally {
          await sql`select pg_advisory_unlock(${id})`.execute(connection)
        }
      }),
    )
    if (ran) return ran.result
    if (performance.now() >= deadline) throw new LockTimeout()
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

interface Semaphore {
  /** Runs `work` within a slot. Throws LockTimeout when none is free by the deadline. */
  run<R>(deadline: number, work: () => Promise<R>): Promise<R>
}

function createSemaphore(max: number): Semaphore {
  let taken = 0
  const waiting = new Set<() => void>()
  const release = () => {
    const [next] = waiting
    if (next === undefined) {
      taken -= 1
      return
    }
    // Pass the slot on to the longest waiter.
    waiting.delete(next)
    next()
  }
  const acquire = async (deadline: number) => {
    if (taken < max) {
      taken += 1
      return
    }
    let wake = () => {}
    const free = new Promise<void>((resolve) => (wake = resolve))
    waiting.add(wake)
    try {
      await beforeDeadline(free, deadline)
    } catch (error) {
      // The slot arrived at the moment of the timeout: pass it on.
      if (!waiting.delete(wake)) release()
      throw error
    }
  }
  return {
    async run(deadline, work) {
      await acquire(deadline)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

/**
 * Holds the lock `key` until the transaction ends. For find-or-create where no unique index decides
 * between concurrent callers. SQLite runs write transactions one after another and needs no lock.
 */
export async function advisoryLock<T>(trx: Transaction<T>, key: string): Promise<void> {
  if (isSqlite(trx)) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
}
