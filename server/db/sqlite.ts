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
import { groupCommit, type GroupCommit, type Log, type Turn } from './group-commit.ts'
import type { WriteAheadLog } from './wal-pauses.ts'
import { type Connection, openConnection } from './sqlite-connection.ts'
import { ConcurrentSqliteAdapter, SteadyPlanCompiler } from './sqlite-dialect.ts'
import { sqliteWal } from './sqlite-wal.ts'
import {
  assertIntact,
  assertWritable,
  isLocked,
  makeFolder,
  makePrivate,
  naming,
} from './sqlite-file.ts'

/** Short, because SQLite waits on the event loop's thread; `groupCommit` waits the rest on a timer. */
const WRITER_BUSY_MS = 5
/** Files up to this size are read through at every start, which takes well under a second. */
const CHECKED_BYTES_MAX = 256_000_000

export interface SqliteOptions {
  /** False gives each transaction a COMMIT of its own; for measuring. */
  groupCommit?: boolean | undefined
  log?: Log | undefined
  isServing?: (() => boolean) | undefined
  /** Milliseconds that another process may keep the write lock. */
  busyMs?: number | undefined
}

export interface OpenedSqlite {
  dialect: Dialect
  ping: () => Promise<void>
  stats: () => { commits: number; transactions: number }
  /** To be minded by what reads the file on other connections. */
  writeAheadLog: WriteAheadLog
  close: () => Promise<void>
}

/**
 * Opens a SQLite file: one connection that writes, one that only reads and so never waits for a
 * transaction. Makes the folder when it is missing. Throws when the file does not take the
 * settings that durability rests on (architecture section 9, safety 3.2 rule 8), and DamagedFile
 * when it is broken: money is not counted on from there.
 */
export function openSqlite(path: string, options: SqliteOptions = {}): OpenedSqlite {
  makeFolder(path)
  makePrivate(path)
  const writer = naming(path, () => openSound(path))
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
  const reader = naming(path, () => openConnection(path, { readonly: true }))
  writer.setBusyMs(WRITER_BUSY_MS)

  let closed: Promise<void> | undefined
  const close = () =>
    (closed ??= group.drain().then(() => {
      // The reader first: the last connection to close folds the log into the file.
      reader.close()
      writer.close()
    }))
  return {
    dialect: {
      createAdapter: () => new ConcurrentSqliteAdapter(),
      createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SteadyPlanCompiler(),
      createDriver: () => sqliteDriver(() => memberConnection(writer, reader, group), group, close),
    },
    // Writes for real, since a full disk still reads well; the value is the same every time.
    ping: () => once(group, 'ping', () => writer.pragma('application_id = 1129074547')),
    stats: () => group.counts(),
    writeAheadLog: {
      size: log.size,
      empty: () => log.empty(() => once(group, 'empty the log', () => {})),
    },
    close,
  }
}

function openSound(path: string): Connection {
  assertWritable(path)
  const connection = openConnection(path, { readonly: false })
  try {
    if (statSync(path).size <= CHECKED_BYTES_MAX) assertIntact(path, { whole: false })
    expectWrites(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Begins to write, so that a folder or a log that this user may not write to is named at once. */
function expectWrites({ begin, rollback }: Connection): void {
  try {
    begin()
  } catch (error) {
    // Somebody else writes, so it can be done; our own turn comes later.
    if (isLocked(error)) return
    throw error
  }
  rollback()
}

function sqliteDriver(
  connection: () => MemberConnection,
  group: GroupCommit,
  close: () => Promise<void>,
): Driver {
  // Kysely hands back the object that `acquireConnection` gave it, typed more widely.
  const own = (given: DatabaseConnection) => given as MemberConnection
  return {
    init: async () => {},
    acquireConnection: async () => connection(),
    releaseConnection: async () => {},
    beginTransaction: async (given) => {
      own(given).turn = await group.enter()
    },
    commitTransaction: async (given) => own(given).turn?.commit(),
    rollbackTransaction: async (given) => own(given).turn?.rollback(),
    destroy: close,
  }
}

interface MemberConnection extends DatabaseConnection {
  turn: Turn | undefined
}

/** What Kysely sees as a connection: a handle that may hold a turn at the one writer. */
function memberConnection(
  writer: Connection,
  reader: Connection,
  group: GroupCommit,
): MemberConnection {
  const write = (query: CompiledQuery) => execute(writer, query)
  const connection: MemberConnection = {
    turn: undefined,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const turn = connection.turn
      const result = turn
        ? turn.run(query.sql, () => write(query))
        : reader.prepare(query.sql).readonly
          ? execute(reader, query)
          : await once(group, query.sql, () => write(query))
      return result as QueryResult<R>
    },
    // All at once: a cursor that stays open would block every other statement of its connection.
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

/** One statement as a transaction of its own, in the group like any other. */
async function once<R>(group: GroupCommit, sql: string, statement: () => R): Promise<R> {
  const turn = await group.enter()
  let result: R
  try {
    result = turn.run(sql, statement)
  } catch (error) {
    await turn.rollback()
    throw error
  }
  await turn.commit()
  return result
}
