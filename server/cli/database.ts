import { existsSync } from 'node:fs'
import { readConfig } from '../config.ts'
import { isPostgres, sqlitePath } from '../db/open.ts'
import { openShop } from '../db/open-migrated.ts'
import { expectShop } from '../db/inspect-file.ts'
import { expectWritable } from '../db/sqlite-file.ts'
import type { Db } from '../db/tables.ts'

/**
 * Throws unless the database of the environment is a shop: a command on a path that was misspelt
 * would otherwise make an empty one there and find nothing wrong with it.
 */
export function expectDatabase(databaseUrl: string, { writes = true } = {}): void {
  if (isPostgres(databaseUrl)) return
  const path = sqlitePath(databaseUrl)
  if (!existsSync(path)) {
    throw new Error(`There is no database at ${path}; DATABASE_URL says where`)
  }
  if (writes) expectWritable(path)
  expectShop(path)
}

/** Runs a command against the database of the environment, beside a running server or without. */
export async function withDatabase<T>(
  run: (tools: { db: Db; now: () => number }) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = readConfig()
  expectDatabase(databaseUrl)
  const { database } = await openShop(databaseUrl)
  try {
    return await run({ db: database.db, now: Date.now })
  } finally {
    await database.close()
  }
}
