import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../test/at-end.ts'
import { openEmptyDatabase } from '../../test/database.ts'
import { GroupCommitFailed } from './group-commit.ts'
import { openDatabase, type OpenedDatabase } from './open.ts'
import { isUniqueViolation } from './transaction.ts'

interface Schema {
  items: { id: string; parent: string | null }
}

let opened: OpenedDatabase<Schema> & { url: string }
let outside: SqliteDatabase.Database

const path = () => opened.url.slice('file:'.length)

const insert = (id: string, { db }: OpenedDatabase<Schema> = opened) =>
  db.transaction().execute(async (trx) => {
    await trx.insertInto('items').values({ id, parent: null }).execute()
  })

/** The rows that another process finds in the file: those that are committed. */
const seenOutside = () =>
  outside
    .prepare<[], { id: string }>('select id from items order by id')
    .all()
    .map(({ id }) => id)

const ids = (count: number) =>
  Array.from({ length: count }, (_, i) => `i${String(i).padStart(3, '0')}`)

beforeEach(async () => {
  opened = await openEmptyDatabase<Schema>()
  await sql`create table items (
    id text primary key, parent text references items (id) deferrable initially deferred
  )`.execute(opened.db)
  outside = new SqliteDatabase(path(), { readonly: true })
})
afterEach(() => outside.close())

describe('group commit', () => {
  it('makes 64 parallel transactions durable with one COMMIT', async () => {
    const before = opened.stats()
    await Promise.all(ids(64).map((id) => insert(id)))
    const after = opened.stats()
    expect(after.transactions - before.transactions).toBe(64)
    expect(after.commits - before.commits).toBe(1)
    expect(seenOutside()).toEqual(ids(64))
  })

  it('resolves only when another process can read the rows', async () => {
    const unseen: string[] = []
    await Promise.all(
      ids(40).map(async (id, i) => {
        if (i % 2 === 0) await insert(id)
        else await opened.db.insertInto('items').values({ id, parent: null }).execute()
        if (!seenOutside().includes(id)) unseen.push(id)
      }),
    )
    expect(unseen).toEqual([])
  })

  it('commits each transaction separately when disabled', async () => {
    const alone = await openDatabase<Schema>(opened.url, { groupCommit: false })
    atEnd(alone.close)
    await Promise.all(ids(20).map((id) => insert(id, alone)))
    expect(alone.stats()).toEqual({ commits: 20, transactions: 20 })
  })

  it('splits a burst that is larger than a group', async () => {
    const before = opened.stats().commits
    await Promise.all(ids(600).map((id) => insert(id)))
    expect(opened.stats().commits - before).toBe(3)
    expect(seenOutside()).toHaveLength(600)
  })

  it('rolls back a transaction that throws and keeps the others', async () => {
    const outcomes = await Promise.allSettled([
      insert('before'),
      opened.db.transaction().execute(async (trx) => {
        await trx.insertInto('items').values({ id: 'undone', parent: null }).execute()
        throw new Error('changed my mind')
      }),
      insert('after'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(seenOutside()).toEqual(['after', 'before'])
  })

  it('continues a transaction after a violation that it catches', async () => {
    await insert('taken')
    await opened.db.transaction().execute(async (trx) => {
      const again = trx.insertInto('items').values({ id: 'taken', parent: null }).execute()
      await expect(again).rejects.toSatisfy(isUniqueViolation)
      await trx.insertInto('items').values({ id: 'other', parent: null }).execute()
    })
    expect(seenOutside()).toEqual(['other', 'taken'])
  })

  it('rejects every member when the COMMIT fails, and keeps none of their rows', async () => {
    const orphan = () =>
      opened.db.transaction().execute(async (trx) => {
        await trx.insertInto('items').values({ id: 'orphan', parent: 'nobody' }).execute()
      })
    const outcomes = await Promise.allSettled([insert('a'), orphan(), insert('b')])
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'GroupCommitFailed' } })
    }
    expect(seenOutside()).toEqual([])
    const again = await Promise.allSettled([insert('a'), orphan(), insert('b')])
    expect(again.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(seenOutside()).toEqual(['a', 'b'])
  })

  it('reports a full file to the affected transactions, and works afterwards', async () => {
    const pages = outside.pragma('page_count', { simple: true }) as number
    const limit = (max: number) =>
      opened.db
        .transaction()
        .execute((trx) => sql.raw(`pragma max_page_count = ${max}`).execute(trx))
    await limit(pages)
    const outcomes = await Promise.allSettled(ids(400).map((id) => insert(id)))
    const kept = ids(400).filter((_, i) => outcomes[i]?.status === 'fulfilled')
    expect(kept.length).toBeLessThan(400)
    expect(seenOutside()).toEqual(kept)
    await expect(insert('x'.repeat(9000))).rejects.toSatisfy(
      (error) =>
        error instanceof GroupCommitFailed ||
        (error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL'),
    )
    await limit(1_000_000)
    await insert('later')
    expect(seenOutside()).toEqual([...kept, 'later'])
  })
})

describe('a read outside a transaction', () => {
  it('neither waits for an open transaction nor sees its rows', async () => {
    await insert('committed')
    const hold = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const transaction = opened.db.transaction().execute(async (trx) => {
      await trx.insertInto('items').values({ id: 'open', parent: null }).execute()
      written.resolve()
      await hold.promise
    })
    await written.promise
    const read = () => opened.db.selectFrom('items').select('id').orderBy('id').execute()
    expect(await read()).toEqual([{ id: 'committed' }])
    hold.resolve()
    await transaction
    expect(await read()).toEqual([{ id: 'committed' }, { id: 'open' }])
  })

  it.each(['begin', ' COMMIT', 'rollback', 'savepoint s', 'release s', 'end'])(
    'refuses a bare %s, which would reach beyond the caller',
    async (command) => {
      await expect(sql.raw(command).execute(opened.db)).rejects.toThrow('through Kysely')
      const inside = opened.db.transaction().execute((trx) => sql.raw(command).execute(trx))
      await expect(inside).rejects.toThrow('through Kysely')
    },
  )
})

describe('the settings of a file', () => {
  const inTransaction = async (pragma: string, { db }: OpenedDatabase<Schema> = opened) => {
    const { rows } = await db
      .transaction()
      .execute((trx) => sql.raw<Record<string, unknown>>(`pragma ${pragma}`).execute(trx))
    return Object.values(rows[0] ?? {})[0]
  }

  it.each([
    ['synchronous', 2],
    ['journal_mode', 'wal'],
    ['foreign_keys', 1],
    ['trusted_schema', 0],
  ])('keep %s at %s when the file is opened again', async (pragma, expected) => {
    expect(await inTransaction(pragma)).toBe(expected)
    await opened.close()
    const again = await openDatabase<Schema>(opened.url)
    atEnd(again.close)
    expect(await inTransaction(pragma, again)).toBe(expected)
  })

  it('let the readiness probe write, and fail when the file cannot be written', async () => {
    const before = opened.stats().commits
    await opened.ping()
    expect(opened.stats().commits).toBe(before + 1)
    await inTransaction('query_only = on')
    await expect(opened.ping()).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
  })
})

describe('two processes on one file', () => {
  it('wait for each other and lose no write', async () => {
    const script = `
      import SqliteDatabase from 'better-sqlite3'
      const db = new SqliteDatabase(process.argv[1], { timeout: 5000 })
      const insert = db.prepare('insert into items (id) values (?)')
      for (let i = 0; i < 30; i += 1) insert.run('other' + i)
    `
    const run = ['--input-type=module', '--eval', script, path()]
    const other = promisify(execFile)(process.execPath, run)
    const mine = ids(200)
    for (const id of mine) await insert(id)
    await other
    expect(seenOutside()).toHaveLength(230)
  })

  it('can read while another one holds the write lock', async () => {
    await insert('a')
    const holder = new SqliteDatabase(path())
    holder.exec('begin immediate')
    const late = insert('b')
    expect(await opened.db.selectFrom('items').select('id').execute()).toEqual([{ id: 'a' }])
    holder.exec('commit')
    holder.close()
    await late
    expect(seenOutside()).toEqual(['a', 'b'])
  })
})
