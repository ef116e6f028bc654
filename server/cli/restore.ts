import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
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
  makeFolder,
  replaceDatabase,
} from '../db/sqlite-file.ts'
import { assertSqliteSchema } from '../db/sqlite-schema.ts'
import type { Tables } from '../db/tables.ts'
import { type AfterRestore, prepareAfterRestore } from '../admin/after-restore.ts'
import { createLog } from '../observe/log.ts'
import { assertDatabase } from './database.ts'
import { print } from './output.ts'
import { UsageError } from './usage.ts'

const HELP = `npx checkstand restore <file> [--replace] [--json]
npx checkstand restore --in-place [--json]

Puts a backup where DATABASE_URL points. A database that is there already is replaced only with
--replace, never while a server has it open, and is kept beside it under another name.

Whatever happened after the backup was made is not in it. So processors are asked for the outcome
of every operation that had none, and charges that are due are put on hold and listed: they may
have been collected since. A merchant who sets the due time of one has it collected.

A database must have the schema of Checkstand and nothing else: no trigger, view, table, index or
column beside it.

--in-place does only that, for a database that was put back by other means, such as pg_restore or a
snapshot of a disk. Stop all servers first.`

/** `checkstand restore` (safety section 3.2, rule 10). */
export async function restoreCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      replace: { type: 'boolean' },
      'in-place': { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const inPlace = values['in-place'] ?? false
  const [file] = positionals
  if (positionals.length > 1 || inPlace !== (file === undefined)) throw new UsageError(HELP)
  const { databaseUrl } = readConfig()
  const json = values.json ?? false
  if (file === undefined) return print({ ...(await prepareInPlace(databaseUrl)) }, json)
  if (isPostgres(databaseUrl)) {
    throw new Error('Put the data back with pg_restore, then: npx checkstand restore --in-place')
  }
  const path = sqlitePath(databaseUrl)
  print({ ...(await restoreFile(resolve(file), path, values.replace ?? false)) }, json)
}

interface Restored extends AfterRestore {
  restored: string
  from: string
  /** Where the former database is now. */
  kept?: string
}

async function restoreFile(file: string, path: string, replace: boolean): Promise<Restored> {
  await assertSqliteSchema(file, assertCheckstandFile(file).applied)
  const isThere = existsSync(path)
  if (isThere && !replace) {
    throw new Error(
      `${path} exists. With --replace it is put aside and the backup takes its place.`,
    )
  }
  if (isThere) expectUnused(path)
  makeFolder(path)
  const part = `${path}.restoring`
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${part}${suffix}`, { force: true })
  copyDatabase(file, part)
  // Made ready before it takes its place, so that no server ever starts on one that is not.
  const prepared = await prepareFile(part).catch((error: unknown) => {
    rmSync(part, { force: true })
    throw error
  })
  if (isThere) expectUnused(path)
  const kept = `${path}.replaced-${formatInstant(Date.now()).replace(/[:.]/g, '')}`
  replaceDatabase(path, part, kept)
  return { restored: path, from: file, ...(isThere ? { kept } : {}), ...prepared }
}

/** What is damaged cannot be asked who uses it, and is what restoring is for. */
function expectUnused(path: string): void {
  try {
    lockExclusively(path).release()
  } catch (error) {
    if (!isDamage(error)) throw error
  }
}

/** A server that ran meanwhile would collect what is being put on hold. */
async function prepareInPlace(databaseUrl: string): Promise<AfterRestore> {
  assertDatabase(databaseUrl)
  if (isPostgres(databaseUrl)) return prepare(databaseUrl)
  const path = sqlitePath(databaseUrl)
  const letGo = lockOutServers(path, 'Stop the server, and try again.')
  try {
    expectUnused(path)
    assertIntact(path, { whole: true })
    return await prepareFile(path)
  } finally {
    letGo()
  }
}

/** The very file that is to be used is looked at: the one it was copied from may have changed. */
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
