import { type Kysely, sql } from 'kysely'
import { withTimeout } from '../timeout.ts'

/** The lock was not free in time; nothing was done under it. */
export class LockWaitTooLong extends Error {}

export interface Locks<T> {
  /**
   * Runs `work` while nobody else holds `key`, in the order of asking. Throws LockWaitTooLong when
   * its turn does not come within `waitMs`; work that has begun is never cut short. `work` uses the
   * database that it is handed, which on PostgreSQL is the very connection that holds the lock.
   */
  withLock<R>(
    key: string,
    options: { waitMs: number },
    work: (db: Kysely<T>) => Promise<R>,
  ): Promise<R>
}

const RETRY_MS = 25

/** Connections that locks may take at once, so that most of the pool is left for payments. */
const CONNECTIONS_MAX = 3

/**
 * Locks by name. Within a process they queue in memory; on PostgreSQL the first of each queue also
 * takes an advisory lock, so that server processes exclude one another. Waiting there holds no
 * connection: it would be missing to those who wait for nothing.
 */
export function createLocks<T>(db: Kysely<T>, kind: 'sqlite' | 'postgres'): Locks<T> {
  const seats = createSeats(CONNECTIONS_MAX)
  const tails = new Map<string, Promise<void>>()
  return {
    async withLock(key, { waitMs }, work) {
      const deadline = performance.now() + waitMs
      const before = tails.get(key) ?? Promise.resolve()
      let done = () => {}
      const mine = new Promise<void>((resolve) => (done = resolve))
      const tail = before.then(() => mine)
      tails.set(key, tail)
      // Only when all are done: whoever gives up still stands behind one who is inside.
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
      try {
        await beforeDeadline(before, deadline)
        return kind === 'sqlite'
          ? await work(db)
          : await withAdvisoryLock({ db, seats }, key, deadline, work)
      } finally {
        done()
      }
    },
  }
}

async function beforeDeadline(turn: Promise<void>, deadline: number): Promise<void> {
  await withTimeout(turn, deadline - performance.now(), () => new LockWaitTooLong())
}

async function withAdvisoryLock<T, R>(
  { db, seats }: { db: Kysely<T>; seats: Seats },
  key: string,
  deadline: number,
  work: (db: Kysely<T>) => Promise<R>,
): Promise<R> {
  const id = sql`hashtextextended(${key}, 0)`
  for (;;) {
    const ran = await seats.take(deadline, () =>
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
    if (performance.now() >= deadline) throw new LockWaitTooLong()
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

interface Seats {
  /** Runs `work` when one of the seats is free, or throws LockWaitTooLong at the deadline. */
  take<R>(deadline: number, work: () => Promise<R>): Promise<R>
}

function createSeats(max: number): Seats {
  let taken = 0
  const waiting = new Set<() => void>()
  const leave = () => {
    const [next] = waiting
    if (next === undefined) {
      taken -= 1
      return
    }
    // The seat goes straight to whoever waits longest.
    waiting.delete(next)
    next()
  }
  const sit = async (deadline: number) => {
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
      // Given a seat in the very moment of giving up: pass it on.
      if (!waiting.delete(wake)) leave()
      throw error
    }
  }
  return {
    async take(deadline, work) {
      await sit(deadline)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
