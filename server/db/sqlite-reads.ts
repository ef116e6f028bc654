import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteIntrospector,
} from 'kysely'
import { type WalBounds, pauseForWal, type WriteAheadLog } from './wal-pauses.ts'
import { checkClockPerRow } from './statement-clock.ts'
import { openReadThread, type ReadThread } from './read-thread.ts'
import type { Reads } from './reads.ts'
import { ConcurrentSqliteAdapter, StablePlanQueryCompiler } from './sqlite-dialect.ts'

/** Each uses one CPU core and about 10 MB. */
const THREADS_MAX = 2

/**
 * Reads a SQLite file in threads that start on demand, because SQLite blocks its calling thread. The
 * reads pause so that the write-ahead log can be truncated.
 */
export function sqliteReads<T>(
  path: string,
  {
    log,
    bounds,
    readMs,
  }: { log: WriteAheadLog; bounds?: WalBounds | undefined; readMs?: number | undefined },
): Reads<T> {
  const withPauses = pauseForWal(log, bounds)
  const idle: Reader<T>[] = []
  const all = new Set<Reader<T>>()
  let closed = false

  function acquireReader(): Reader<T> {
    if (closed) throw new Error('the database is closed')
    const reader = idle.pop()
    if (reader) return reader
    const thread = openReadThread(path, { readMs })
    const created = { thread, db: new Kysely<T>({ dialect: dialectOf(thread) }) }
    all.add(created)
    return created
  }

  return {
    slots: THREADS_MAX,
    read: (work) =>
      withPauses(async () => {
        const reader = acquireReader()
        try {
          const db = reader.db.withPlugin(checkClockPerRow)
          return await db.transaction().execute(work)
        } finally {
          if (reader.thread.isLost()) all.delete(reader)
          else idle.push(reader)
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
    createQueryCompiler: () => new StablePlanQueryCompiler(),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => connection,
      releaseConnection: async () => {},
      beginTransaction: () => thread.begin(),
      commitTransaction: () => thread.end(),
      rollbackTransaction: () => thread.end(),
      destroy: async () => {},
    }),
  }
}
