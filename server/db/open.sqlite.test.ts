import { existsSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { testFolder } from '../../test/folder.ts'
import { openDatabase } from './open.ts'
import { acquireServerLock } from './sqlite-file.ts'

let folder: string

beforeEach(async () => {
  folder = await testFolder()
})

it.each([
  ['a path', (path: string) => `file:${path}`],
  ['a path from the working directory', (path: string) => `file:${relative(process.cwd(), path)}`],
  ['an address with three slashes', (path: string) => pathToFileURL(path).href],
])('opens the file %s and creates its folder', async (_, address) => {
  const path = join(folder, 'data', 'deep', 'my shop.db')
  const opened = await openDatabase(address(path))
  await sql`create table t (id text)`.execute(opened.db)
  expect(opened.kind).toBe('sqlite')
  expect(existsSync(path)).toBe(true)
  await opened.close()
})

it.each(['mysql://u:secret@h/d', 'checkstand.db', 'file:', 'file::memory:', ''])(
  'refuses the address %j and shows what it should look like',
  async (url) => {
    const opening = openDatabase(url)
    await expect(opening).rejects.toThrow(/DATABASE_URL must be file:.*or postgres:/)
    await expect(opening).rejects.not.toThrow(/secret/)
  },
)

it.each([
  ['file:./a#b.db', /DATABASE_URL must be file: and a path, .* neither \? nor #/],
  ['file:a.db?mode=ro', /DATABASE_URL must be file: and a path, .* neither \? nor #/],
  ['file://var/lib/x.db', /DATABASE_URL must begin with file:\/\/\/ /],
])('rejects the URL %j with the violated rule', async (url, rule) => {
  await expect(openDatabase(url)).rejects.toThrow(rule)
})

it.each(['postgres://u:secret@h:99999999/d', 'postgres://u:secret@127.0.0.1:1/d'])(
  'says what is wrong with %j without its password',
  async (url) => {
    const error: unknown = await openDatabase(url).catch((thrown: unknown) => thrown)
    expect(String(error)).toMatch(/DATABASE_URL/)
    expect(String(error)).not.toContain('secret')
  },
)

it('rejects a file that is no database', async () => {
  const path = join(folder, 'notes.db')
  await writeFile(path, 'shopping list: milk, eggs, bread, and much more of the same\n'.repeat(100))
  await expect(openDatabase(`file:${path}`)).rejects.toMatchObject({ code: 'SQLITE_NOTADB' })
})

it('reports the file that cannot be opened', async () => {
  const path = join(folder, 'shop.db')
  await mkdir(path)
  await expect(openDatabase(`file:${path}`)).rejects.toThrow(path)
  await rm(path, { recursive: true })
  await mkdir(`${path}.lock`)
  expect(() => acquireServerLock(path)).toThrow(`${path}.lock cannot be used: unable to open`)
})

// Root may write to anything.
it.skipIf(process.getuid?.() === 0)('reports the file that is not writable', async () => {
  const path = join(folder, 'shop.db')
  await (await openDatabase(`file:${path}`)).close()
  await chmod(path, 0o400)
  await expect(openDatabase(`file:${path}`)).rejects.toThrow(`${path} cannot be written to`)
})

it('can be closed before its first use, and twice', async () => {
  const opened = await openDatabase(`file:${join(folder, 'a.db')}`)
  await opened.close()
  await opened.close()
  await expect(opened.ping()).rejects.toThrow('closed')
  await expect(sql`select 1`.execute(opened.db)).rejects.toThrow()
})

it('merges its write-ahead log into the file when it closes', async () => {
  const path = join(folder, 'a.db')
  const opened = await openDatabase(`file:${path}`)
  await sql`create table t (id text)`.execute(opened.db)
  expect(existsSync(`${path}-wal`)).toBe(true)
  await opened.close()
  expect(existsSync(`${path}-wal`)).toBe(false)
})

it('finishes started transactions before it closes', async () => {
  const url = `file:${join(folder, 'a.db')}`
  const opened = await openDatabase<{ t: { id: string } }>(url)
  await sql`create table t (id text)`.execute(opened.db)
  const writing = opened.db.transaction().execute(async (trx) => {
    await trx.insertInto('t').values({ id: 'kept' }).execute()
  })
  await new Promise(setImmediate)
  await Promise.all([opened.close(), writing])
  const again = await openDatabase<{ t: { id: string } }>(url)
  expect(await again.db.selectFrom('t').selectAll().execute()).toEqual([{ id: 'kept' }])
  await again.close()
})
