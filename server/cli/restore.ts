import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { formatInstant } from '../../shared/rules/time.ts'
import { readConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { isPostgres, openDatabase, sqlitePath } from '../db/open.ts'
import { assertPostgresSchema } from '../db/postgres-schema.ts'
import { assertCheckstandFile } from '../db/inspect-file.ts'
import {
  copyDatabase,
  assertIntact,
  lockExclusively,
  lockOutServers,
  isDamage,
  createFolder,
  replaceDatabase,
} from '../db/sqlite-file.ts'
import { assertSqliteSchema } from '../db/sqlite-schema.ts'
import type { Tables } from '../db/tables.ts'
import { type AfterRestore, prepareAfterRestore } from '../admin/after-restore.ts'
import { createLog } from '../observe/log.ts'
import { assertDatabase } from './database.ts'
import { print } from './output.ts'
import { JSON_OPTION, readOptions, UsageError } from './usage.ts'

const HELP = `npx checkstand restore <file> [--replace] [--json]
npx checkstand restore --in-place [--json]

Restores a backup to DATABASE_URL. An existing database is replaced only with --replace, never while
a server uses it, and is kept beside it under another name.

Changes after the backup are lost. Processors are therefore queried for every operation without an
outcome, and due charges are put on hold and listed, because they may have been collected since.
Setting the due time of such a charge collects it.

The backup must have exactly the schema of Checkstand, without other triggers, views, tables, indexes
or columns.

--in-place prepares a database that was restored by other means, such as pg_restore or a disk
snapshot. Stop all servers first.`

/** `checkstand restore`. */
export async function restoreCommand(args: string[]): Promise<void> {
  const options = { replace: { type: 'boolean' }, 'in-place': { type: 'boolean' } } as const
  const usage = readOptions(args, {
    help: HELP,
    options: { ...options, ...JSON_OPTION },
    allowPositionals: true,
  })
  if (!usage) return
  const { values, positionals } = usage
  const inPlace = values['in-place'] ?? false
  const [file] = positionals
  if (positionals.length > 1 || inPlace !== (file === undefined)) throw new UsageError(HELP)
  const { databaseUrl } = readConfig()
  const json = values.json ?? false
  if (file === undefined) return print({ ...(await prepareInPlace(databaseUrl)) }, json)
  if (isPostgres(databaseUrl)) {
    throw new Error('Restore the data with pg_restore, then run: npx checkstand restore --in-place')
  }
  const path = sqlitePath(databaseUrl)
  print({ ...(await restoreFile(resolve(file), path, values.replace ?? false)) }, json)
}

interface Restored extends AfterRestore {
  restored: string
  from: string
  /** The path of the replaced database. */
  kept?: string
}

async function restoreFile(file: string, path: string, replace: boolean): Promise<Restored> {
  await assertSqliteSchema(file, assertCheckstandFile(file).applied)
  const exists = existsSync(path)
  if (exists && !replace) {
    throw new Error(`${path} exists. --replace renames it and restores the backup.`)
  }
  if (exists) assertUnused(path)
  createFolder(path)
  const tempFile = `${path}.restoring`
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${tempFile}${suffix}`, { force: true })
  copyDatabase(file, tempFile)
  // Prepared before the rename, so that no server starts on an unprepared database.
  const prepared = await prepareFile(tempFile).catch((error: unknown) => {
    rmSync(tempFile, { force: true })
    throw error
  })
  if (exists) assertUnused(path)
  const kept = `${path}.replaced-${formatInstant(Date.now()).replace(/[:.]/g, '')}`
  replaceDatabase(path, tempFile, kept)
  return { restored: path, from: file, ...(exists ? { kept } : {}), ...prepared }
}

/** A damaged file cannot be locked, and restoring is its remedy. */
function assertUnused(path: string): void {
  try {
    lockExclusively(path).release()
  } catch (error) {
    if (!isDamage(error)) throw error
  }
}

/** Excludes servers, which would collect the charges that are put on hold. */
async function prepareInPlace(databaseUrl: string): Promise<AfterRestore> {
  assertDatabase(databaseUrl)
  if (isPostgres(databaseUrl)) return prepare(databaseUrl)
  const path = sqlitePath(databaseUrl)
  const release = lockOutServers(path, 'Stop the server and try again.')
  try {
    assertUnused(path)
    assertIntact(path, { whole: true })
    return await prepareFile(path)
  } finally {
    release()
  }
}

/** Checks the copy, because its source may have changed since. */
async function prepareFile(path: string): Promise<AfterRestore> {
  await assertSqliteSchema(path, assertCheckstandFile(path).applied)
  return prepare(`file:${path}`)
}

async function prepare(databaseUrl: string): Promise<AfterRestore> {
  const database = await openDatabase<Tables>(databaseUrl)
  try {
    if (database.kind === 'postgres') await assertPostgresSchema(database.db)
    await migrate(database.db)
    return await prepareAfterRestore({
      db: database.db,
      now: Date.now,
      log: createLog('warn', { write: (line) => process.stderr.write(line) }),
    })
  } finally {
    await database.close()
  }
}
