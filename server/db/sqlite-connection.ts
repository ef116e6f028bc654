import SqliteDatabase from 'better-sqlite3'
import { LRUCache } from 'lru-cache'

const STATEMENTS_MAX = 500
const TRANSACTION_CONTROL = /^\s*(begin|commit|end|rollback|savepoint|release)\b/i
const OPEN_BUSY_MS = 5000

export type Connection = ReturnType<typeof openConnection>

/**
 * Opens a SQLite file with the settings that durability needs, and caches its prepared statements.
 * Throws when the file rejects a setting.
 */
export function openConnection(path: string, { readonly }: { readonly: boolean }) {
  const db = new SqliteDatabase(path, { readonly })
  try {
    // First, since every later pragma can meet a lock of another process.
    db.pragma(`busy_timeout = ${OPEN_BUSY_MS}`)
    // Readers see the last commit and never wait for the writer.
    if (!readonly) db.pragma('journal_mode = WAL')
    // Each COMMIT reaches the disk. An existing WAL would open with NORMAL.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    // The schema of a foreign file must not call the registered functions.
    db.pragma('trusted_schema = OFF')
    // Detects damaged pages when they are read.
    db.pragma('cell_size_check = ON')
    // In KiB. Each commit of the writer empties the cache of a reader, so the driver's 16 MB serve none.
    if (readonly) db.pragma('cache_size = -4000')
    assertSetting(db, 'journal_mode', 'wal')
    assertSetting(db, 'synchronous', 2)
    assertSetting(db, 'foreign_keys', 1)
  } catch (error) {
    db.close()
    throw error
  }

  const statements = new LRUCache<string, SqliteDatabase.Statement<unknown[]>>({
    max: STATEMENTS_MAX,
    memoMethod: (sql) => {
      // On the writer it would end other transactions; on the reader it would freeze the snapshot.
      if (TRANSACTION_CONTROL.test(sql))
        throw new Error(`begin and end transactions through Kysely: ${sql}`)
      return db.prepare<unknown[]>(sql)
    },
  })
  const command = (sql: string) => {
    const statement = db.prepare(sql)
    return () => void statement.run()
  }
  return {
    prepare: (sql: string) => statements.memo(sql),
    addFunction: (name: string, call: (value: unknown) => number) =>
      void db.function(name, { directOnly: true }, call),
    pragma: (source: string) => void db.pragma(source),
    setBusyMs: (ms: number) => void db.pragma(`busy_timeout = ${ms}`),
    // Takes the write lock at once: a transaction that locks after reading can fail halfway.
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

function assertSetting(db: SqliteDatabase.Database, name: string, expected: string | number): void {
  const actual = db.pragma(name, { simple: true })
  if (actual !== expected) {
    throw new Error(`${db.name}: ${name} is ${String(actual)} and cannot be made ${expected}`)
  }
}
