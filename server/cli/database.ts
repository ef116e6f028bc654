import { existsSync } from 'node:fs'
import { readConfig } from '../config.ts'
import { isPostgres, sqlitePath } from '../db/open.ts'
import { openMigrated } from '../db/open-migrated.ts'
import { assertCheckstandFile } from '../db/inspect-file.ts'
import { assertWritable } from '../db/sqlite-file.ts'
import type { Db } from '../db/tables.ts'

/**
 * Throws unless the database of the environment is a shop: a command on a path that was misspelt
 * would otherwise make an empty one there and find nothing wrong with it.
 */
export function assertDatabase(databaseUrl: string, { writes = true } = {}): void {
  if (isPostgres(databaseUrl)) return
  const path = sqlitePath(databaseUrl)
  if (!existsSync(path)) {
    throw new Error(`There is no database at ${path}; DATABASE_URL says where`)
  }
  if (writes) assertWritable(path)
  assertCheckstandFile(path)
}

/** Runs a command against the database of the environment, beside a running server or without. */
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
