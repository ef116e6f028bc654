import { existsSync } from 'node:fs'
import { readConfig } from '../config.ts'
import { isPostgres, sqlitePath } from '../db/open.ts'
import { openMigrated } from '../db/open-migrated.ts'
import { assertCheckstandFile } from '../db/inspect-file.ts'
import { assertWritable } from '../db/sqlite-file.ts'
import type { Db } from '../db/tables.ts'

/**
 * Throws an Error unless a SQLite database exists and is Checkstand's, so that a command with a wrong
 * path does not create an empty one.
 */
export function assertDatabase(databaseUrl: string, { writes = true } = {}): void {
  if (isPostgres(databaseUrl)) return
  const path = sqlitePath(databaseUrl)
  if (!existsSync(path)) {
    throw new Error(`There is no database at ${path}. Set DATABASE_URL`)
  }
  if (writes) assertWritable(path)
  assertCheckstandFile(path)
}

/** Runs a command on the database of DATABASE_URL. A server may be running. */
export async function withDatabase<T>(
  run: (tools: { db: Db; now: () => number }) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = readConfig()
  assertDatabase(databaseUrl)
  const { database } = await openMigrated(databaseUrl)
  try {
    return await run({ db: database.db, now: Date.now })
  } finally {
    await database.close()
  }
}
