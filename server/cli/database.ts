import { readConfig } from '../config.ts'
import { openShop } from '../db/open-shop.ts'
import type { Db } from '../db/tables.ts'

/** Runs a command against the database of the environment, beside a running server or without. */
export async function withDatabase<T>(
  run: (tools: { db: Db; now: () => number }) => Promise<T>,
): Promise<T> {
  const { database } = await openShop(readConfig().databaseUrl)
  try {
    return await run({ db: database.db, now: Date.now })
  } finally {
    await database.close()
  }
}
