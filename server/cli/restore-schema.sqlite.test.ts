import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open.ts'
import { openMigrated } from '../db/open-migrated.ts'
import { runCommand } from '../../test/run-command.ts'
import { isDeep } from '../../test/depth.ts'
import { testFolder } from '../../test/folder.ts'

/** A file whose schema is other than ours is neither restored nor served, and stays as it is. */

let folder: string
let path: string
const run = (...args: string[]) => runCommand(`file:${join(folder, 'live.db')}`, args)

beforeEach(async () => {
  folder = await testFolder()
  path = join(folder, 'backup.db')
})

async function makeShop(steps = migrations): Promise<void> {
  const { db, close } = await openDatabase(`file:${path}`)
  await migrate(db, steps)
  await close()
}

function change(statements: string): void {
  const db = new SqliteDatabase(path)
  db.unsafeMode()
  db.exec(statements)
  db.close()
}

const CHANGES: [string, string][] = [
  [
    `create trigger pay after insert on payments begin delete from charges; end`,
    'trigger pay of payments is unexpected',
  ],
  ['create view money as select * from payments', 'view money is unexpected'],
  ['create table notes (text text)', 'table notes is unexpected'],
  ['create index more on payments (amount)', 'index more of payments is unexpected'],
  ['alter table payments add column more text', 'table payments has another definition'],
  ['drop index events_fan_out', 'index events_fan_out of events is missing'],
  [
    `pragma writable_schema = on; update sqlite_schema set sql = replace(sql, '"amount" bigint', '"amount" text') where name = 'payments'`,
    'table payments has another definition',
  ],
  [
    `create table _litestream_seq (id integer primary key, seq integer, more text)`,
    'table _litestream_seq is unexpected',
  ],
]

// Each starts the program twice, so `npm test` takes some of them.
describe.each(CHANGES.filter((_, at) => isDeep || at % 3 === 0))(
  'after "%s" a file',
  (sql, problem) => {
    it('is not restored, not prepared in place and not served, and the difference is named', async () => {
      await makeShop()
      change(sql)
      const before = await readFile(path)
      const restored = await run('restore', path)
      const inPlace = await runCommand(`file:${path}`, ['restore', '--in-place'])
      for (const { code, stdout: out, err } of [restored, inPlace]) {
        expect([code, out, err]).toEqual([1, '', expect.stringContaining(problem)])
        expect(err).toContain(path)
      }
      await expect(openMigrated(`file:${path}`)).rejects.toThrow(problem)
      expect(await readFile(path)).toEqual(before)
    })
  },
)

it('a file of each older version is restored, unless it has more than that version made', async () => {
  const names = Object.keys(migrations)
  for (const [at, name] of names.entries()) {
    if (at % 5 !== 0 && at !== names.length - 2) continue
    await makeShop(Object.fromEntries(Object.entries(migrations).slice(0, at + 1)))
    const ran = await run('restore', path, '--replace')
    expect([name, ran.code, ran.err]).toEqual([name, 0, ''])
    change('create trigger t after insert on merchants begin delete from merchants; end')
    const refused = await run('restore', path, '--replace')
    expect([name, refused.code]).toEqual([name, 1])
    expect(refused.err).toContain('trigger t of merchants is unexpected')
    await rm(path)
  }
})

it('a file with the tables of Litestream is served and restored', async () => {
  await makeShop()
  change(`CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
    CREATE TABLE _litestream_lock (id INTEGER)`)
  await (await openMigrated(`file:${path}`)).database.close()
  expect(await run('restore', path)).toMatchObject({ code: 0, err: '' })
})

it('a file with the mark of another program is not taken for a shop', async () => {
  await makeShop()
  change('pragma application_id = 1')
  expect((await run('restore', path)).err).toContain('tables of another program')
})

it('a file in which a row names another that is missing is not restored, in place neither', async () => {
  await makeShop()
  const db = new SqliteDatabase(path)
  db.pragma('foreign_keys = OFF')
  const columns = db
    .prepare<[], { name: string; type: string }>(
      `select name, type from pragma_table_info('webhook_endpoints')`,
    )
    .all()
  const values = columns.map(({ type }) => (type.toLowerCase() === 'integer' ? '1' : `'x'`))
  db.exec(`insert into webhook_endpoints values (${values.join(', ')})`)
  db.close()
  for (const ran of [
    await run('restore', path),
    await runCommand(`file:${path}`, ['restore', '--in-place']),
  ]) {
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('another that is missing')])
  }
})
