import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { createCheckstand } from '../index.ts'
import { createLog } from '../observe/log.ts'
import { runCommand } from '../../test/run-command.ts'
import { testFolder } from '../../test/folder.ts'
import { migrations } from './migrations/index.ts'
import { openMigrated } from './open-migrated.ts'

/** Files that are no shop of ours: nothing is made of them, and nothing is done to them. */

let folder: string
let path: string

beforeEach(async () => {
  folder = await testFolder()
  path = join(folder, 'shop.db')
})

const run = (...args: string[]) => runCommand(`file:${path}`, args)

function makeForeign(file: string, table = 'notes'): void {
  const db = new Database(file)
  db.exec(`create table ${table} (name text); insert into ${table} values ('milk')`)
  db.close()
}

const OTHERS: [string, (file: string) => unknown, string][] = [
  ['without a byte', (file) => writeFile(file, ''), 'is empty'],
  ['of another program', (file) => makeForeign(file), 'tables of another program'],
  [
    'of another program that migrates as ours does',
    (file) => makeForeign(file, 'kysely_migration'),
    'tables of another program',
  ],
  [
    'of another program that has merchants',
    (file) => makeForeign(file, 'merchants'),
    'tables of another program',
  ],
]

describe.each(OTHERS)('a file %s', (_, make, words) => {
  it('is rejected for existing and new databases, and stays unchanged', async () => {
    await make(path)
    const before = await readFile(path)
    const config = readConfig({ DATABASE_URL: `file:${path}` })
    for (const open of [
      () => createCheckstand({ config, log: createLog('silent') }),
      () => openMigrated(`file:${path}`),
    ]) {
      const error: unknown = await open().catch((thrown: unknown) => thrown)
      expect(String(error)).toContain(words)
      expect(String(error)).toContain(path)
    }
    expect(await readFile(path)).toEqual(before)
  })

  it('is rejected as a backup, and the present database stays', async () => {
    await (await openMigrated(`file:${path}`)).database.close()
    const shop = await readFile(path)
    const file = join(folder, 'backup.db')
    await make(file)
    const ran = await run('restore', file, '--replace')
    expect([ran.code, ran.stdout, ran.err]).toEqual([1, '', expect.stringContaining(words)])
    expect(ran.err).toContain(file)
    expect(await readFile(path)).toEqual(shop)
  })
})

it('a database without tables, left by an aborted first start, is set up again', async () => {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.close()
  const { database, applied } = await openMigrated(`file:${path}`)
  await database.close()
  expect(applied).toEqual(Object.keys(migrations))
})
