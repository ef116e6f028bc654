import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import type { WalBounds } from './wal-pauses.ts'
import type { PostgresOptions } from './postgres.ts'
import { postgresReads } from './postgres-reads.ts'
import type { Reads } from './reads.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'
import { realPath } from './sqlite-file.ts'
import { sqliteReads } from './sqlite-reads.ts'
import type { Tables } from './tables.ts'

export interface OpenOptions extends SqliteOptions, PostgresOptions {
  /** SQLite only. Limits of the write-ahead log; for tests. */
  walBounds?: WalBounds | undefined
  /** Milliseconds that a long read may take; for tests. */
  readMs?: number | undefined
}

export interface OpenedDatabase<T> {
  db: Kysely<T>
  kind: 'sqlite' | 'postgres'
  /** For long reads. */
  reads: Reads<T>
  /** Rejects when the database is not writable. */
  ping: () => Promise<void>
  /** Path of the SQLite file; null on PostgreSQL. */
  path: string | null
  /**
   * Counts since the opening. A single writing statement counts as a transaction on SQLite and is
   * not counted on PostgreSQL.
   */
  stats: () => { commits: number; transactions: number }
  /** Closes after the running transactions have ended. */
  close: () => Promise<void>
}

/**
 * Opens the database of a `DATABASE_URL`: `file:` and a path for SQLite (relative to the working
 * directory), `postgres://` or `postgresql://` for PostgreSQL. Throws an Error with a message for
 * the operator, without the password.
 */
export async function openDatabase<T = Tables>(
  url: string,
  options: OpenOptions = {},
): Promise<OpenedDatabase<T>> {
  const kind = isPostgres(url) ? 'postgres' : 'sqlite'
  const path = kind === 'postgres' ? null : sqlitePath(url)
  const { reads, dialect, close, ...opened } =
    path === null ? await onPostgres<T>(url, options) : onSqlite<T>(path, options)
  const db = new Kysely<T>({ dialect })
  return {
    db,
    kind,
    reads,
    path,
    ping: opened.ping,
    stats: opened.stats,
    async close() {
      await reads.close()
      await db.destroy()
      // Kysely does not close a driver that it has not used.
      await close()
    },
  }
}

function onSqlite<T>(path: string, options: OpenOptions) {
  const opened = openSqlite(path, options)
  const { writeAheadLog: log } = opened
  return {
    ...opened,
    reads: sqliteReads<T>(path, { log, bounds: options.walBounds, readMs: options.readMs }),
  }
}

async function onPostgres<T>(url: string, options: OpenOptions) {
  // Loading what speaks to PostgreSQL takes 20 ms, which SQLite does without.
  const { openPostgres } = await import('./postgres.ts')
  const opened = await openPostgres(url, options)
  return {
    ...opened,
    reads: postgresReads(new Kysely<T>({ dialect: opened.readDialect }), options.readMs),
  }
}

export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url)
}

/** Returns the real path of the SQLite file in a `DATABASE_URL`. Throws an Error with an example. */
export function sqlitePath(url: string): string {
  if (/^file:.*[?#]/.test(url)) {
    throw new Error('DATABASE_URL must be file: and a path, which may hold neither ? nor #')
  }
  const path = /^file:(?<path>.+)$/.exec(url)?.groups?.['path']
  if (path === undefined || path === '' || path === ':memory:') {
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? 'an address without a scheme'
    throw new Error(
      `DATABASE_URL must be file:./path/to/file.db or postgres://user@host/database, not ${scheme}`,
    )
  }
  return realPath(path.startsWith('//') ? absolutePath(url) : resolve(path))
}

function absolutePath(url: string): string {
  try {
    return fileURLToPath(url)
  } catch (error) {
    // Between the second and the third slash would be a host name.
    throw new Error(
      'DATABASE_URL must begin with file:/// where an absolute path follows: file:///var/lib/x.db',
      { cause: error },
    )
  }
}
