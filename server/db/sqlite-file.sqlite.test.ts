import { readFile, truncate, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { createCheckstand } from '../index.ts'
import { createLog } from '../observe/log.ts'
import { testFolder } from '../../test/folder.ts'
import { openDatabase } from './open.ts'
import { copyDatabase, lockExclusively } from './sqlite-file.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await testFolder()
  path = join(folder, 'shop.db')
})

/** A file with many pages, and a log that is not yet folded into it. */
function fill(file: string, rows = 2000): Database.Database {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.exec('create table parent (id integer primary key, word text not null unique)')
  db.exec('create table child (parent integer references parent)')
  const add = db.prepare('insert into parent (word) values (?)')
  db.transaction(() => {
    for (let row = 0; row < rows; row += 1) add.run(`word ${row} `.repeat(8))
  })()
  return db
}

const start = () =>
  createCheckstand({
    config: readConfig({ DATABASE_URL: `file:${path}` }),
    log: createLog('silent'),
  })

const PAGE = 4096

describe('a server', () => {
  it.each([
    ['begins with other bytes', async () => overwrite(0, Buffer.alloc(100, 'x'))],
    ['has a page that was lost', async () => overwrite(5 * PAGE, Buffer.alloc(PAGE))],
    ['has a page of another place', async () => overwrite(5 * PAGE, await pageAt(9))],
    ['ends too early', async () => truncate(path, 12 * PAGE)],
  ])('does not start on a file that %s, and explains what to do', async (_, damage) => {
    await (await start()).close()
    const db = new Database(path)
    const add = db.prepare('insert into merchants (id, name, created) values (?, ?, ?)')
    db.transaction(() => {
      for (let row = 0; row < 2000; row += 1) add.run(`m${row}`, `word ${row} `.repeat(8), '')
    })()
    db.close()
    await damage()
    const error: unknown = await start().catch((thrown: unknown) => thrown)
    expect(String(error)).toMatch(/shop\.db is damaged \(.+\).*checkstand restore/)
  })

  it('starts on a file that was not closed, with all committed data', async () => {
    const crashed = fill(path)
    await writeFile(`${folder}/left.db`, await readFile(path))
    await writeFile(`${folder}/left.db-wal`, await readFile(`${path}-wal`))
    crashed.close()
    const opened = await openDatabase<{ parent: { id: number } }>(`file:${folder}/left.db`)
    expect(await opened.db.selectFrom('parent').selectAll().execute()).toHaveLength(2000)
    await opened.close()
  })

  async function overwrite(offset: number, bytes: Buffer): Promise<void> {
    const file = await readFile(path)
    bytes.copy(file, offset)
    await writeFile(path, file)
  }

  async function pageAt(page: number): Promise<Buffer> {
    return (await readFile(path)).subarray(page * PAGE, (page + 1) * PAGE)
  }
})

describe('a copy', () => {
  it('has all committed data and nothing of an open transaction', () => {
    const db = fill(path)
    db.exec("begin; insert into parent (word) values ('not yet')")
    copyDatabase(path, `${folder}/copy.db`)
    db.exec('commit')
    db.close()
    const copy = new Database(`${folder}/copy.db`)
    expect(copy.prepare('select count(*) from parent').pluck().get()).toBe(2000)
    copy.close()
  })

  it('is not written over an existing file', async () => {
    fill(path).close()
    await writeFile(`${folder}/notes.txt`, 'mine')
    expect(() => copyDatabase(path, `${folder}/notes.txt`)).toThrow('exists already')
    expect(await readFile(`${folder}/notes.txt`, 'utf8')).toBe('mine')
  })

  it('of a damaged file is not created', () => {
    const db = fill(path)
    db.pragma('foreign_keys = OFF')
    db.exec('insert into child values (999999)')
    db.close()
    expect(() => copyDatabase(path, `${folder}/copy.db`)).toThrow('a row of child names another')
    expect(existsSync(`${folder}/copy.db`)).toBe(false)
    expect(existsSync(`${folder}/copy.db.part`)).toBe(false)
  })
})

it('locks a file exclusively, so that no server can open it', async () => {
  fill(path).close()
  const { release } = lockExclusively(path)
  const other = new Database(path, { timeout: 0 })
  expect(() => other.prepare('select 1 from parent').get()).toThrow('locked')
  release()
  expect(other.prepare('select count(*) from parent').pluck().get()).toBe(2000)
  expect(() => lockExclusively(path)).toThrow('is in use. Stop the server')
  other.close()
})
