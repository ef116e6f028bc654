import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteIntrospector,
} from 'kysely'
import { type LogBounds, pauseForWal, type WriteAheadLog } from './wal-pauses.ts'
import { addStatementClock } from './statement-clock.ts'
import { openReadThread, type ReadThread } from './read-thread.ts'
import type { Reads } from './reads.ts'
import { ConcurrentSqliteAdapter, SteadyPlanCompiler } from './sqlite-dialect.ts'

/** Each of them keeps a processor busy, and needs about 10 MB. */
const THREADS_MAX = 2

/**
 * Reads a SQLite file in threads of their own, which are started when they are first needed: SQLite
 * works in the thread that asks, and the server has one for everybody. They pause now and then for
 * `log`.
 */
export function sqliteReads<T>(
  path: string,
  { log, bounds }: { log: WriteAheadLog; bounds?: LogBounds | undefined },
): Reads<T> {
  const whenNoPause = pauseForWal(log, bounds)
  const idle: Reader<T>[] = []
  const all = new Set<Reader<T>>()
  let closed = false

  function reader(): Reader<T> {
    if (closed) throw new Error('the database is closed')
    const waiting = idle.pop()
    if (waiting) return waiting
    const thread = openReadThread(path)
    const made = { thread, db: new Kysely<T>({ dialect: dialectOf(thread) }) }
    all.add(made)
    return made
  }

  return {
    places: THREADS_MAX,
    read: (work) =>
      whenNoPause(async () => {
        const taken = reader()
        try {
          const db = taken.db.withPlugin(addStatementClock)
          return await db.transaction().execute(work)
        } finally {
          if (taken.thread.isLost()) all.delete(taken)
          else idle.push(taken)
        }
      }),
    async close() {
      closed = true
      await Promise.all([...all].map(({ thread }) => thread.close()))
    },
  }
}

interface Reader<T> {
  thread: ReadThread
  db: Kysely<T>
}

function dialectOf(thread: ReadThread): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      return { rows: (await thread.read(sql, parameters)) as R[] }
    },
    async *streamQuery<R>(query: CompiledQuery) {
      yield await connection.executeQuery<R>(query)
    },
  }
  return {
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SteadyPlanCompiler(),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => connection,
      releaseConnection: async () => {},
      beginTransaction: () => thread.begin(),
      // There is nothing to undo.
      commitTransaction: () => thread.end(),
      rollbackTransaction: () => thread.end(),
      destroy: async () => {},
    }),
  }
}
