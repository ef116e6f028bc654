import { readConfig } from '../config.ts'
import { migrateWithCopy } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import type { Db, Tables } from '../db/tables.ts'

/** Runs a command against the database of the environment, beside a running server or without. */
export async function withDatabase<T>(
  run: (tools: { db: Db; now: () => number }) => Promise<T>,
): Promise<T> {
  const database = await openDatabase<Tables>(readConfig().databaseUrl)
  try {
    await migrateWithCopy(database)
    return await run({ db: database.db, now: Date.now })
  } finally {
    await database.close()
  }
}
