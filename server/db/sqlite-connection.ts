import SqliteDatabase from 'better-sqlite3'

/** One connection to a SQLite file, for the server's thread and for those that read for it. */

const STATEMENTS_MAX = 500
const TRANSACTION_CONTROL = /^\s*(begin|commit|end|rollback|savepoint|release)\b/i
const OPEN_BUSY_MS = 5000

export type Connection = ReturnType<typeof openConnection>

/**
 * Opens a SQLite file with the settings that durability rests on, and keeps its statements prepared.
 * Throws when the file does not take one of them.
 */
export function openConnection(path: string, { readonly }: { readonly: boolean }) {
  const db = new SqliteDatabase(path, { readonly })
  try {
    // First, since every later line can meet another process that holds a lock.
    db.pragma(`busy_timeout = ${OPEN_BUSY_MS}`)
    // Readers see the last commit and never wait for the writer.
    if (!readonly) db.pragma('journal_mode = WAL')
    // Each COMMIT reaches the disk. Without this line a log that already exists opens as NORMAL.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    // A file from elsewhere must not call our functions from its schema.
    db.pragma('trusted_schema = OFF')
    // Damage within a page is found where it is read, before it is used.
    db.pragma('cell_size_check = ON')
    expectSetting(db, 'journal_mode', 'wal')
    expectSetting(db, 'synchronous', 2)
    expectSetting(db, 'foreign_keys', 1)
  } catch (error) {
    db.close()
    throw error
  }

  const statements = new Map<string, SqliteDatabase.Statement<unknown[]>>()
  const prepare = (sql: string) => {
    const cached = statements.get(sql)
    if (cached) {
      // Moved to the young end, so that the oldest entry is the least recently used.
      statements.delete(sql)
      statements.set(sql, cached)
      return cached
    }
    // On the writer it would end other people's transactions, on the reader stop time.
    if (TRANSACTION_CONTROL.test(sql))
      throw new Error(`begin and end transactions through Kysely: ${sql}`)
    const statement = db.prepare<unknown[]>(sql)
    statements.set(sql, statement)
    if (statements.size > STATEMENTS_MAX) {
      const oldest = statements.keys().next()
      if (!oldest.done) statements.delete(oldest.value)
    }
    return statement
  }
  const command = (sql: string) => {
    const statement = db.prepare(sql)
    return () => void statement.run()
  }
  return {
    prepare,
    addFunction: (name: string, call: (value: unknown) => number) =>
      void db.function(name, { directOnly: true }, call),
    pragma: (source: string) => void db.pragma(source),
    setBusyMs: (ms: number) => void db.pragma(`busy_timeout = ${ms}`),
    // Taking the write lock at once: a transaction that reads first and locks later can fail
    // halfway for no fault of its own.
    begin: command('begin immediate'),
    beginReading: command('begin'),
    savepoint: command('savepoint member'),
    release: command('release member'),
    rollbackToSavepoint: command('rollback to member'),
    commit: command('commit'),
    rollback: command('rollback'),
    inTransaction: () => db.inTransaction,
    close: () => void db.close(),
  }
}

function expectSetting(db: SqliteDatabase.Database, name: string, expected: string | number): void {
  const actual = db.pragma(name, { simple: true })
  if (actual !== expected) {
    throw new Error(`${db.name}: ${name} is ${String(actual)} and cannot be made ${expected}`)
  }
}
