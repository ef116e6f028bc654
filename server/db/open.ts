import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import type { Log } from './group-commit.ts'
import type { LogBounds } from './wal-pauses.ts'
import { openPostgres } from './postgres.ts'
import { postgresReads } from './postgres-reads.ts'
import type { Reads } from './reads.ts'
import { openSqlite } from './sqlite.ts'
import { realPath } from './sqlite-file.ts'
import { sqliteReads } from './sqlite-reads.ts'
import type { Tables } from './tables.ts'

export interface OpenOptions {
  /** SQLite only. False gives each transaction a COMMIT of its own; for measuring. */
  groupCommit?: boolean | undefined
  log?: Log | undefined
  /**
   * Whether requests are served by now; the default is always. Transactions that last long are warned
   * about only then: before, as in a migration, no request waits for them.
   */
  isServing?: (() => boolean) | undefined
  /** SQLite only. How large its write-ahead log may be while it is read; for tests. */
  logBounds?: LogBounds | undefined
  /** PostgreSQL only. Milliseconds until a server that does not answer counts as lost. */
  answerMs?: number | undefined
}

export interface OpenedDatabase<T> {
  db: Kysely<T>
  kind: 'sqlite' | 'postgres'
  /** For what may take long. */
  reads: Reads<T>
  /** Rejects when the database cannot be written to at this moment. */
  ping: () => Promise<void>
  /** Where the file is; null on PostgreSQL, which keeps its data itself. */
  path: string | null
  /**
   * COMMITs done and logical transactions started since it was opened. A statement outside a
   * transaction that writes counts as one on SQLite, and is not counted on PostgreSQL.
   */
  stats: () => { commits: number; transactions: number }
  /** Lets transactions that have begun end, and then closes. */
  close: () => Promise<void>
}

/**
 * Opens the database that `DATABASE_URL` names: `file:` and a path for SQLite (a relative path
 * starts at the working directory), `postgres://` or `postgresql://` for PostgreSQL. Throws an
 * Error that says what is wrong with the address or the database; never names the password.
 */
export async function openDatabase<T = Tables>(
  url: string,
  options: OpenOptions = {},
): Promise<OpenedDatabase<T>> {
  const kind = isPostgres(url) ? 'postgres' : 'sqlite'
  const path = kind === 'postgres' ? null : sqlitePath(url)
  const { reads, ...opened } =
    path === null ? await onPostgres<T>(url, options) : onSqlite<T>(path, options)
  const db = new Kysely<T>({ dialect: opened.dialect })
  return {
    db,
    kind,
    reads,
    ping: opened.ping,
    path,
    stats: opened.stats,
    async close() {
      await reads.close()
      await db.destroy()
      // Kysely does not close what it never used.
      await opened.close()
    },
  }
}

function onSqlite<T>(path: string, options: OpenOptions) {
  const opened = openSqlite(path, options)
  const { writeAheadLog: log } = opened
  return { ...opened, reads: sqliteReads<T>(path, { log, bounds: options.logBounds }) }
}

async function onPostgres<T>(url: string, options: OpenOptions) {
  const opened = await openPostgres(url, options)
  return { ...opened, reads: postgresReads(new Kysely<T>({ dialect: opened.readDialect })) }
}

export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url)
}

/** The real path of a SQLite file in a `DATABASE_URL`; throws an Error that shows what one looks like. */
export function sqlitePath(url: string): string {
  if (/^file:.*[?#]/.test(url)) {
    throw new Error('DATABASE_URL must be file: and a path, which may hold neither ? nor #')
  }
  const named = /^file:(?<path>.+)$/.exec(url)?.groups?.['path']
  if (named === undefined || named === '' || named === ':memory:') {
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? 'an address without a scheme'
    throw new Error(
      `DATABASE_URL must be file:./path/to/file.db or postgres://user@host/database, not ${scheme}`,
    )
  }
  return realPath(named.startsWith('//') ? absolutePath(url) : resolve(named))
}

function absolutePath(url: string): string {
  try {
    return fileURLToPath(url)
  } catch (error) {
    // What stands between the second slash and the third would be the name of another machine.
    throw new Error(
      'DATABASE_URL must begin with file:/// where an absolute path follows: file:///var/lib/x.db',
      { cause: error },
    )
  }
}
