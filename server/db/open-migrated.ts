import { migrateWithCopy } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import {
  isPostgres,
  openDatabase,
  type OpenedDatabase,
  type OpenOptions,
  sqlitePath,
} from './open.ts'
import { assertCheckstandOrEmpty } from './inspect-file.ts'
import { acquireServerLock, lockOutServers } from './sqlite-file.ts'
import { assertSqliteSchema } from './sqlite-schema.ts'
import type { Tables } from './tables.ts'

export interface OpenMigratedOptions extends OpenOptions {
  /** SQLite only: makes this process the one server of the file, before anything else. */
  serves?: boolean | undefined
}

export interface OpenedMigrated {
  database: OpenedDatabase<Tables>
  /** Names of the steps that were missing. */
  applied: string[]
  /** Where the file as it was before them is, when there was anything to keep. */
  copy: string | null
  /** Ends being its one server, for who `serves`; to be called when the database is closed. */
  held: (() => void) | undefined
}

const CHANGES_SCHEMA =
  'It works with the schema of another version, which this one would change. ' +
  'Stop the server that has it open, and try again.'

/**
 * Opens the product's own database, and brings it to this program's schema; makes it where there is
 * none. Throws before anything is changed when a file belongs to another program, or when a server
 * has it open whose schema would be changed under it. A file that needs no change is opened beside
 * a server.
 */
export async function openMigrated(
  url: string,
  options: OpenMigratedOptions = {},
): Promise<OpenedMigrated> {
  if (isPostgres(url)) return { ...(await openAndMigrate(url, options)), held: undefined }
  const path = sqlitePath(url)
  const held = options.serves ? acquireServerLock(path) : undefined
  let release = held
  try {
    const { holds, applied } = assertCheckstandOrEmpty(path)
    if (holds === 'shop') await assertSqliteSchema(path, applied)
    const isBehind = Object.keys(migrations).some((name) => !applied.includes(name))
    if (isBehind) release ??= lockOutServers(path, CHANGES_SCHEMA)
    const opened = await openAndMigrate(url, options)
    if (!held) release?.()
    return { ...opened, held }
  } catch (error) {
    release?.()
    throw error
  }
}

async function openAndMigrate(url: string, options: OpenOptions) {
  const database = await openDatabase<Tables>(url, options)
  try {
    return { database, ...(await migrateWithCopy(database)) }
  } catch (error) {
    await database.close()
    throw error
  }
}
