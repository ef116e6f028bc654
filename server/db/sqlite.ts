import { statSync } from 'node:fs'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteIntrospector,
} from 'kysely'
import { groupCommit, type GroupCommit, type Log, type LogicalTransaction } from './group-commit.ts'
import type { WriteAheadLog } from './wal-pauses.ts'
import { type Connection, openConnection } from './sqlite-connection.ts'
import { ConcurrentSqliteAdapter, StablePlanQueryCompiler } from './sqlite-dialect.ts'
import { isSqliteBusy } from './unreachable.ts'
import { sqliteWal } from './sqlite-wal.ts'
import {
  assertIntact,
  assertWritable,
  createFolder,
  createPrivateFile,
  withFileName,
} from './sqlite-file.ts'

/** Short, because SQLite blocks the event loop; `groupCommit` waits for the rest on a timer. */
const WRITER_BUSY_MS = 5
/** Files up to this size are checked at every start, which takes less than a second. */
const CHECKED_BYTES_MAX = 256_000_000

export interface SqliteOptions {
  /** SQLite only. False gives each transaction its own COMMIT; for benchmarks. */
  groupCommit?: boolean | undefined
  log?: Log | undefined
  /** Slow transactions are logged only while this returns true; the default is always. */
  isServing?: (() => boolean) | undefined
  /** SQLite only. Milliseconds to wait for a lock of another process; 5000 by default. */
  busyMs?: number | undefined
}

export interface OpenedSqlite {
  dialect: Dialect
  ping: () => Promise<void>
  stats: () => { commits: number; transactions: number }
  /** For `pauseForWal` of other reading connections. */
  writeAheadLog: WriteAheadLog
  close: () => Promise<void>
}

/**
 * Opens a SQLite file with a writing connection, and a reading one that never waits for a
 * transaction. Creates the folder. Throws when the file rejects a setting that durability needs, and
 * DamagedFile when it is damaged.
 */
export function openSqlite(path: string, options: SqliteOptions = {}): OpenedSqlite {
  createFolder(path)
  createPrivateFile(path)
  const writer = withFileName(path, () => openIntact(path))
  const log = sqliteWal(path, writer, options.log)
  const group = groupCommit(
    { ...writer, commit: () => log.commit() },
    {
      log: options.log,
      isServing: options.isServing,
      ...(options.groupCommit === false && { membersMax: 1 }),
      ...(options.busyMs !== undefined && { busyMs: options.busyMs }),
    },
  )
  const reader = withFileName(path, () => openConnection(path, { readonly: true }))
  writer.setBusyMs(WRITER_BUSY_MS)

  let closed: Promise<void> | undefined
  const close = () =>
    (closed ??= group.drain().then(() => {
      // The reader first: the last connection to close checkpoints the log.
      reader.close()
      writer.close()
    }))
  return {
    dialect: {
      createAdapter: () => new ConcurrentSqliteAdapter(),
      createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
      createQueryCompiler: () => new StablePlanQueryCompiler(),
      createDriver: () => sqliteDriver(() => memberConnection(writer, reader, group), group, close),
    },
    // A real write, since reads succeed on a full disk. The value never changes.
    ping: () => runAsTransaction(group, 'ping', () => writer.pragma('application_id = 1129074547')),
    stats: () => group.counts(),
    writeAheadLog: {
      size: log.size,
      truncate: () => log.truncate(() => runAsTransaction(group, 'truncate the log', () => {})),
    },
    close,
  }
}

function openIntact(path: string): Connection {
  assertWritable(path)
  const connection = openConnection(path, { readonly: false })
  try {
    if (statSync(path).size <= CHECKED_BYTES_MAX) assertIntact(path, { whole: false })
    assertWrites(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Begins a write, so that missing permissions are found at start. */
function assertWrites({ begin, rollback }: Connection): void {
  try {
    begin()
  } catch (error) {
    // Another process is writing, so the file is writable.
    if (isSqliteBusy(error)) return
    throw error
  }
  rollback()
}

function sqliteDriver(
  createConnection: () => MemberConnection,
  group: GroupCommit,
  close: () => Promise<void>,
): Driver {
  // Kysely returns the object of `acquireConnection` with a wider type.
  const own = (acquired: DatabaseConnection) => acquired as MemberConnection
  return {
    init: async () => {},
    acquireConnection: async () => createConnection(),
    releaseConnection: async () => {},
    beginTransaction: async (acquired) => {
      own(acquired).transaction = await group.begin()
    },
    commitTransaction: async (acquired) => own(acquired).transaction?.commit(),
    rollbackTransaction: async (acquired) => own(acquired).transaction?.rollback(),
    destroy: close,
  }
}

interface MemberConnection extends DatabaseConnection {
  transaction: LogicalTransaction | undefined
}

/** Kysely's connection: a handle that may have a transaction on the writer. */
function memberConnection(
  writer: Connection,
  reader: Connection,
  group: GroupCommit,
): MemberConnection {
  const write = (query: CompiledQuery) => execute(writer, query)
  const connection: MemberConnection = {
    transaction: undefined,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const transaction = connection.transaction
      const result = transaction
        ? transaction.run(query.sql, () => write(query))
        : reader.prepare(query.sql).readonly
          ? execute(reader, query)
          : await runAsTransaction(group, query.sql, () => write(query))
      return result as QueryResult<R>
    },
    // All rows at once: an open cursor would block every other statement of the connection.
    async *streamQuery<R>(query: CompiledQuery) {
      yield await connection.executeQuery<R>(query)
    },
  }
  return connection
}

function execute(connection: Connection, { sql, parameters }: CompiledQuery): QueryResult<unknown> {
  const statement = connection.prepare(sql)
  if (statement.reader) {
    const rows = statement.all(...parameters)
    return statement.readonly ? { rows } : { rows, numAffectedRows: BigInt(rows.length) }
  }
  return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
}

/** Runs one statement as a transaction of its own within a group. */
async function runAsTransaction<R>(
  group: GroupCommit,
  sql: string,
  statement: () => R,
): Promise<R> {
  const transaction = await group.begin()
  let result: R
  try {
    result = transaction.run(sql, statement)
  } catch (error) {
    await transaction.rollback()
    throw error
  }
  await transaction.commit()
  return result
}
