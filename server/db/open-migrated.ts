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
  /** SQLite only: acquires the server lock before the first write, not at the start. */
  serves?: boolean | undefined
}

export interface OpenedMigrated {
  database: OpenedDatabase<Tables>
  /** Names of the migrations that were applied. */
  applied: string[]
  /** Path of the copy from before the migrations, if one was made. */
  copy: string | null
  /** Releases the server lock. Call it after closing the database. Set only with `serves`. */
  releaseServerLock: (() => void) | undefined
}

const CHANGES_SCHEMA =
  'It uses the schema of another version, which this one would migrate. ' +
  'Stop that server and try again.'

/**
 * Opens and migrates the database, and creates it when there is none. Throws, without a change, when
 * the file belongs to another program, or when a server has it open and a migration is needed.
 */
export async function openMigrated(
  url: string,
  options: OpenMigratedOptions = {},
): Promise<OpenedMigrated> {
  if (isPostgres(url))
    return { ...(await openAndMigrate(url, options)), releaseServerLock: undefined }
  const path = sqlitePath(url)
  const held = options.serves ? acquireServerLock(path, options.busyMs) : undefined
  let release = held
  try {
    const { content, applied } = assertCheckstandOrEmpty(path)
    if (content === 'checkstand') await assertSqliteSchema(path, applied)
    const isBehind = Object.keys(migrations).some((name) => !applied.includes(name))
    if (isBehind) release ??= lockOutServers(path, CHANGES_SCHEMA)
    const opened = await openAndMigrate(url, options)
    if (!held) release?.()
    return { ...opened, releaseServerLock: held }
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
