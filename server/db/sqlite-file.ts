import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { isSqliteBusy } from './unreachable.ts'

const BUSY_MS = 5000
/** How long a command waits for another one. */
const COMMAND_WAIT_MS = 1000

export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
  /** SQLite's own code, such as SQLITE_CORRUPT. */
  readonly code: string

  constructor(path: string, found: string, cause?: unknown) {
    super(
      `The database file ${path} is damaged (${found}). Keep it, and start from a backup: ` +
        'npx checkstand restore <file> --replace',
      { cause },
    )
    const own = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    this.code = own === '' ? 'SQLITE_CORRUPT' : own
  }
}

/** Adds the path to SQLite's errors. Throws DamagedFile for a broken file. */
export function withFileName<R>(path: string, use: () => R): R {
  try {
    return use()
  } catch (error) {
    throw nameFile(path, error)
  }
}

function nameFile(path: string, error: unknown): unknown {
  if (error instanceof DamagedFile || !(error instanceof Error)) return error
  const { message } = error
  if (isDamage(error)) return new DamagedFile(path, message, error)
  if (message.includes(path)) return error
  return new Error(`The database file ${path} cannot be used: ${message}`, { cause: error })
}

/** Throws when this process may not write to the file; SQLite notices only at the first write. */
export function assertWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw new Error(`The database file ${path} cannot be written to`, { cause: error })
  }
}

/**
 * Checks the whole file and throws DamagedFile. `whole` also checks every index and foreign key,
 * which takes several times as long.
 */
export function assertIntact(path: string, { whole }: { whole: boolean }): void {
  const found = readDatabase(path, (db) => {
    const [row] = db.pragma(whole ? 'integrity_check(1)' : 'quick_check(1)', {
      simple: false,
    }) as Record<string, string>[]
    const problem = Object.values(row ?? {})[0]
    // The first line only has the name of the database.
    if (problem !== 'ok') return problem?.split('\n').at(-1) ?? 'it cannot be checked'
    const [orphan] = whole ? (db.pragma('foreign_key_check') as { table: string }[]) : []
    return orphan && `a row of ${orphan.table} names another that is missing`
  })
  if (found !== undefined) throw new DamagedFile(path, found)
}

/**
 * Copies a consistent snapshot of a database while servers read and write it. The copy is checked
 * and synced before it gets its name.
 *
 * Throws DamagedFile for a damaged database, and an Error when `to` exists, unless `replace`.
 */
export function copyDatabase(from: string, to: string, { replace = false } = {}): void {
  if (!replace && existsSync(to)) throw new Error(`${to} exists already`)
  const tempFile = `${to}.part`
  rmSync(tempFile, { force: true })
  try {
    createPrivateFile(tempFile)
    readDatabase(from, (db) => db.prepare('vacuum into ?').run(tempFile))
    assertIntact(tempFile, { whole: true })
    syncToDisk(tempFile)
    renameSync(tempFile, to)
    syncToDisk(dirname(to))
  } finally {
    rmSync(tempFile, { force: true })
  }
}

/**
 * Locks a database against every other reader and writer until `release` is called. Throws when a
 * server has it open.
 */
export function lockExclusively(path: string): {
  db: SqliteDatabase.Database
  release: () => void
} {
  const db = openFile(path, { fileMustExist: true, timeout: 0 })
  try {
    // Before the first read, or SQLite does not lock the whole file.
    db.pragma('locking_mode = exclusive')
    db.pragma('trusted_schema = OFF')
    db.exec('begin immediate; rollback')
  } catch (error) {
    db.close()
    if (!isSqliteBusy(error)) throw error
    throw new Error(`${path} is in use. Stop the server that has it open, and try again.`, {
      cause: error,
    })
  }
  return { db, release: () => void db.close() }
}

/** Creates an empty file with mode 0600 unless it exists. */
export function createPrivateFile(path: string): void {
  // Never opens an existing file: closing it would release this process's locks on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
}

/**
 * Resolves a symbolic link, so that the files beside the database, above all its lock, are the same
 * for every name.
 */
export function realPath(path: string): string {
  const at = lstatSync(path, { throwIfNoEntry: false })
  if (!at?.isSymbolicLink()) return path
  // The target of the link may not exist yet.
  return existsSync(path) ? realpathSync(path) : resolve(dirname(path), readlinkSync(path))
}

const SECOND_SERVER = 'More than one needs PostgreSQL: npx checkstand move --to postgres://…'

/** Creates the folder of a file with mode 0700 unless it exists. */
export function createFolder(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
}

/**
 * Acquires the server lock of a file until the returned function is called or the process dies.
 * Commands may use the file meanwhile, but not a second server: it would treat the first one's
 * processor calls as abandoned. Throws after `busyMs`, in which a stopping server may end.
 */
export function acquireServerLock(path: string, busyMs = BUSY_MS): () => void {
  return acquireLock(path, busyMs, SECOND_SERVER)
}

/** Prevents servers from using a file. Throws with `advice` when one does. */
export function lockOutServers(path: string, advice: string): () => void {
  return acquireLock(path, COMMAND_WAIT_MS, advice)
}

function acquireLock(path: string, waitMs: number, advice: string): () => void {
  createFolder(path)
  createPrivateFile(`${path}.lock`)
  // A separate database for its lock alone, which the system releases when the process dies.
  const lock = openFile(`${path}.lock`, { timeout: waitMs })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!isSqliteBusy(error)) throw nameFile(`${path}.lock`, error)
    throw new Error(`${path} is served by another process already. ${advice}`, { cause: error })
  }
  return () => void lock.close()
}

/** Replaces the database `path` by `tempFile`. The old database with its WAL becomes `kept`. */
export function replaceDatabase(path: string, tempFile: string, kept: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${kept}${suffix}`)
  }
  syncToDisk(tempFile)
  renameSync(tempFile, path)
  syncToDisk(dirname(path))
}

/**
 * Syncs a file or the entries of a folder. Not for a database that this process has open: closing
 * the file would release its locks.
 */
function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Reads a file that other processes may use, without changing it. */
export function readDatabase<R>(path: string, read: (db: SqliteDatabase.Database) => R): R {
  return withFileName(path, () => {
    const db = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS })
    try {
      db.pragma('trusted_schema = OFF')
      return read(db)
    } finally {
      db.close()
    }
  })
}

function openFile(path: string, options: SqliteDatabase.Options): SqliteDatabase.Database {
  return withFileName(path, () => new SqliteDatabase(path, options))
}

/** Whether SQLite reports a damaged file or no database. */
export function isDamage(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')
}
