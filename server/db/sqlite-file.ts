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

/** What is done with a SQLite database as a file: copied whole, checked, and held by one alone. */

const BUSY_MS = 5000
/** How long a server waits at its start for one that is ending, and a command for another one. */
const SERVER_WAIT_MS = 5000
const COMMAND_WAIT_MS = 1000

/** The file is a database no longer, or parts of it cannot be read. */
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

/**
 * Names the file in what SQLite says about it, which never says of which file. Throws DamagedFile for
 * one that is broken.
 */
export function naming<R>(path: string, use: () => R): R {
  try {
    return use()
  } catch (error) {
    throw named(path, error)
  }
}

function named(path: string, error: unknown): unknown {
  if (error instanceof DamagedFile || !(error instanceof Error)) return error
  const { message } = error
  if (isDamage(error)) return new DamagedFile(path, message, error)
  if (message.includes(path)) return error
  return new Error(`The database file ${path} cannot be used: ${message}`, { cause: error })
}

/** Throws when this process may not write to the file, which SQLite finds out with the first write. */
export function assertWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw new Error(`The database file ${path} cannot be written to`, { cause: error })
  }
}

/**
 * Reads through the file and throws DamagedFile when something in it is not as it must be. `whole`
 * also compares every index with its table and every reference with what it names, which takes
 * several times as long.
 */
export function assertIntact(path: string, { whole }: { whole: boolean }): void {
  const found = readFrom(path, (db) => {
    const [said] = db.pragma(whole ? 'integrity_check(1)' : 'quick_check(1)', {
      simple: false,
    }) as Record<string, string>[]
    const complaint = Object.values(said ?? {})[0]
    // Its first line only says in which database it looked.
    if (complaint !== 'ok') return complaint?.split('\n').at(-1) ?? 'it cannot be checked'
    const [orphan] = whole ? (db.pragma('foreign_key_check') as { table: string }[]) : []
    return orphan && `a row of ${orphan.table} names another that is missing`
  })
  if (found !== undefined) throw new DamagedFile(path, found)
}

/**
 * Copies a database, with all that was committed at one moment, to a file of its own. Servers go on
 * reading and writing meanwhile: the copy is one reading transaction, which nobody waits for. The
 * copy is checked and on the disk before it gets its name, so a file of that name is a whole one.
 *
 * Throws DamagedFile for a database that does not pass; throws when `to` exists, unless `replace`.
 */
export function copyDatabase(from: string, to: string, { replace = false } = {}): void {
  if (!replace && existsSync(to)) throw new Error(`${to} exists already`)
  const part = `${to}.part`
  rmSync(part, { force: true })
  try {
    makePrivate(part)
    readFrom(from, (db) => db.prepare('vacuum into ?').run(part))
    assertIntact(part, { whole: true })
    syncToDisk(part)
    renameSync(part, to)
    syncToDisk(dirname(to))
  } finally {
    rmSync(part, { force: true })
  }
}

/**
 * Keeps every other process out of a database until the answered function is called: nobody reads,
 * writes or opens it. Throws when a server has it open now.
 */
export function lockExclusively(path: string): {
  db: SqliteDatabase.Database
  release: () => void
} {
  const db = openNamed(path, { fileMustExist: true, timeout: 0 })
  try {
    // Before anything is read: only then does SQLite lock the file as a whole.
    db.pragma('locking_mode = exclusive')
    db.pragma('trusted_schema = OFF')
    db.exec('begin immediate; rollback')
  } catch (error) {
    db.close()
    if (!isLocked(error)) throw error
    throw new Error(`${path} is in use. Stop the server that has it open, and try again.`, {
      cause: error,
    })
  }
  return { db, release: () => void db.close() }
}

/** Makes an empty file for its owner alone where there is none; a database is then made in it. */
export function makePrivate(path: string): void {
  // Never one that exists: closing it would give up the locks that this process has on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
}

/**
 * The path of the file itself, where the one given is a link to it: what is kept beside a file, its
 * lock above all, is then the same by whatever name it is opened.
 */
export function realPath(path: string): string {
  const at = lstatSync(path, { throwIfNoEntry: false })
  if (!at?.isSymbolicLink()) return path
  // What the link names may be yet to be made.
  return existsSync(path) ? realpathSync(path) : resolve(dirname(path), readlinkSync(path))
}

const SECOND_SERVER = 'More than one needs PostgreSQL: npx checkstand move --to postgres://…'

/** Makes the folder of a file when it is missing, for its owner alone. */
export function makeFolder(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
}

/**
 * Makes this process the one server of a file, until the answered function is called or the process
 * dies. Commands may go on using the file; a second server may not, because what only one of them
 * remembers, such as calls that are under way, the other would take for lost. Throws when there is
 * one, after five seconds, in which one that is ending may end.
 */
export function acquireServerLock(path: string): () => void {
  return holdLock(path, SERVER_WAIT_MS, SECOND_SERVER)
}

/**
 * Keeps servers off a file while something is done that only is right without one. Throws with
 * `advice` when there is one.
 */
export function lockOutServers(path: string, advice: string): () => void {
  return holdLock(path, COMMAND_WAIT_MS, advice)
}

function holdLock(path: string, waitMs: number, advice: string): () => void {
  makeFolder(path)
  makePrivate(`${path}.lock`)
  // A database of its own, for its lock alone: the system lets go of it when the process dies.
  const lock = openNamed(`${path}.lock`, { timeout: waitMs })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!isLocked(error)) throw named(`${path}.lock`, error)
    throw new Error(`${path} is served by another process already. ${advice}`, { cause: error })
  }
  return () => void lock.close()
}

/**
 * Puts `part`, a database that nobody has open, in the place of `path`. What was there is kept
 * under the name `kept`, with its log, and is a whole database as before.
 */
export function replaceDatabase(path: string, part: string, kept: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${kept}${suffix}`)
  }
  syncToDisk(part)
  renameSync(part, path)
  syncToDisk(dirname(path))
}

/**
 * Makes sure that a file, or the names in a folder, survive a power cut. Never for a database that
 * this process has open: closing a file gives up all locks that the process has on it.
 */
function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Reads a file that somebody else may be using, and that stays as it is. */
export function readFrom<R>(path: string, read: (db: SqliteDatabase.Database) => R): R {
  return naming(path, () => {
    const db = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS })
    try {
      db.pragma('trusted_schema = OFF')
      return read(db)
    } finally {
      db.close()
    }
  })
}

function openNamed(path: string, options: SqliteDatabase.Options): SqliteDatabase.Database {
  return naming(path, () => new SqliteDatabase(path, options))
}

export function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

/** Whether SQLite says that what it read is no database, or not any more. */
export function isDamage(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')
}
