import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import { createCheckstand } from '../index.ts'
import { createLog } from '../observe/log.ts'
import { MIGRATED } from '../../test/app.ts'
import { openTestDatabase, type Template } from '../../test/database.ts'
import { isDeep } from '../../test/depth.ts'
import { appliedTo, migrate, migrateWithCopy } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open.ts'
import type { Db, Tables } from './tables.ts'

const NAMES = Object.keys(migrations)
const LAST = NAMES.at(-1) as string

async function newDatabase(template?: Template) {
  const { url } = await openTestDatabase(template)
  const open = async (at = url) => {
    const opened = await openDatabase<Tables>(at)
    onTestFinished(() => opened.close())
    return opened
  }
  return { url, open }
}

const addMerchant = (db: Db, name: string) =>
  db.insertInto('merchants').values({ id: name, name, created: '2030' }).execute()
const merchantsOf = async (db: Db) =>
  (await db.selectFrom('merchants').select('name').execute()).map(({ name }) => name)

const before = (name: string): Record<string, Migration> =>
  Object.fromEntries(Object.entries(migrations).filter(([other]) => other < name))

/** A database that lacks the last step. */
const BEFORE_LAST: Template = {
  name: 'before_last',
  async prepare(url) {
    const opened = await openDatabase<Tables>(url)
    await migrate(opened.db, before(LAST))
    await opened.close()
  },
}

/** Migrates in a process of its own, which is killed when the step `name` has done its work. */
async function migrateAndDie(url: string, name: string): Promise<unknown> {
  const script = `
    const [url, name, open, migrate, steps] = process.argv.slice(1)
    const { openDatabase } = await import(open)
    const { migrate: run } = await import(migrate)
    const { migrations } = await import(steps)
    const doomed = { async up(db) { await migrations[name].up(db); process.kill(process.pid, 'SIGKILL') } }
    await run((await openDatabase(url)).db, { ...migrations, [name]: doomed })
  `
  const modules = ['./open.ts', './migrate.ts', './migrations/index.ts']
  const paths = modules.map((module) => new URL(module, import.meta.url).href)
  const args = ['--input-type=module', '--eval', script, url, name, ...paths]
  const [, signal] = (await once(spawn(process.execPath, args), 'exit')) as unknown[]
  return signal
}

describe('a killed migration', () => {
  it.each([...(isDeep ? [NAMES[0], NAMES[4]] : []), LAST] as string[])(
    'in its step %s leaves the database as it was, and is made whole by the next start',
    async (name) => {
      const { url, open } = await newDatabase(name === LAST ? BEFORE_LAST : undefined)
      const first = await openDatabase<Tables>(url)
      const old = before(name)
      if (Object.keys(old).length > 0) {
        await migrate(first.db, old)
        await addMerchant(first.db, 'Shop')
      }
      await first.close()
      expect(await migrateAndDie(url, name)).toBe('SIGKILL')

      const { db } = await open()
      expect(await appliedTo(db)).toEqual(Object.keys(old))
      expect(await migrate(db)).toEqual(NAMES.filter((other) => other >= name))
      expect(await merchantsOf(db)).toEqual(name === NAMES[0] ? [] : ['Shop'])
      // Every table exists and is writable.
      await addMerchant(db, 'Next')
    },
  )
})

describe('the memory of the connection that writes', () => {
  it('keeps what can be undone from the migrations on, which sort in files; SQLite only', async () => {
    const { open } = await newDatabase(BEFORE_LAST)
    const { db, kind } = await open()
    if (kind === 'postgres') return
    const settings: unknown[] = []
    const note = async (on: Db) => {
      for (const pragma of ['temp_store', 'cache_size']) {
        const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${pragma}`).execute(on)
        settings.push(rows[0]?.[pragma])
      }
    }
    await migrate(db, { ...migrations, [LAST]: { up: (on: Db) => note(on) } })
    await db.transaction().execute(note)
    expect(settings).toEqual([0, -16_000, 2, -4000])
  })
})

describe('a database of a newer version', () => {
  it('is rejected by an older version and stays unchanged', async () => {
    const { url, open } = await newDatabase(MIGRATED)
    const { db } = await open()
    await sql`insert into kysely_migration values ('9999-next', '2031')`.execute(db)
    const starting = createCheckstand({
      config: readConfig({ DATABASE_URL: url }),
      log: createLog('silent'),
    })
    await expect(starting).rejects.toThrow(/newer Checkstand \(it has 9999-next\)/)
    expect(await appliedTo(db)).toEqual([...NAMES, '9999-next'])
  })
})

describe('the backup before a migration', () => {
  it('has the previous schema and rows; PostgreSQL has none', async () => {
    const { open } = await newDatabase(BEFORE_LAST)
    const opened = await open()
    await addMerchant(opened.db, 'Shop')
    const { applied, copy } = await migrateWithCopy(opened)
    expect(applied).toEqual([LAST])
    if (opened.path === null) return expect(copy).toBeNull()
    expect(copy).toBe(`${opened.path}.before-${LAST.slice(0, 4)}`)
    const old = await open(`file:${copy}`)
    expect(await appliedTo(old.db)).toEqual(Object.keys(before(LAST)))
    expect(await merchantsOf(old.db)).toEqual(['Shop'])
  })

  it('is not made of a new or an unchanged database', async () => {
    const { open } = await newDatabase()
    const opened = await open()
    expect(await migrateWithCopy(opened)).toEqual({ applied: NAMES, copy: null })
    expect(await migrateWithCopy(opened)).toEqual({ applied: [], copy: null })
    expect(existsSync(`${opened.path}.before-0001`)).toBe(false)
  })

  it('replaces the one of an earlier attempt', async () => {
    const { open } = await newDatabase(BEFORE_LAST)
    const opened = await open()
    const fails = { ...before(LAST), [LAST]: { up: () => Promise.reject(new Error('planted')) } }
    await expect(migrateWithCopy(opened, fails)).rejects.toThrow(LAST)
    await addMerchant(opened.db, 'Since')
    const { copy } = await migrateWithCopy(opened)
    if (copy === null) return
    const old = await open(`file:${copy}`)
    expect(await merchantsOf(old.db)).toEqual(['Since'])
  })
})

it.runIf(process.env['CHECKSTAND_TEST_DATABASE'] === 'postgres')(
  'a migration may exceed the statement timeout of requests',
  async () => {
    const { url } = await newDatabase(MIGRATED)
    const opened = await openDatabase<Tables>(url, { answerMs: 1500 })
    onTestFinished(() => opened.close())
    const limits: unknown[] = []
    const slow = {
      async up(db: Db) {
        limits.push(...(await sql`show statement_timeout`.execute(db)).rows)
        await sql`select pg_sleep(2)`.execute(db)
      },
    }
    expect(await migrate(opened.db, { ...migrations, '9999-slow': slow })).toEqual(['9999-slow'])
    expect(limits).toEqual([{ statement_timeout: '0' }])
  },
)
