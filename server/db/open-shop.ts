import { migrateWithCopy } from './migrate.ts'
import { isPostgres, openDatabase, sqlitePath } from './open.ts'
import type { OpenOptions, OpenedDatabase } from './open.ts'
import { expectShopOrRoom } from './shop-file.ts'
import type { Tables } from './tables.ts'

export interface OpenedShop {
  database: OpenedDatabase<Tables>
  /** Names of the steps that were missing. */
  applied: string[]
  /** Where the file as it was before them is, when there was anything to keep. */
  copy: string | null
}

/**
 * Opens the product's own database, and brings it to this program's schema; makes it where there is
 * none. Throws before anything is changed when a file belongs to another program.
 */
export async function openShop(url: string, options: OpenOptions = {}): Promise<OpenedShop> {
  if (!isPostgres(url)) expectShopOrRoom(sqlitePath(url))
  const database = await openDatabase<Tables>(url, options)
  try {
    return { database, ...(await migrateWithCopy(database)) }
  } catch (error) {
    await database.close()
    throw error
  }
}
