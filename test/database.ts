import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { URL } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { inject } from 'vitest'
import { openDatabase, type OpenedDatabase, type OpenOptions } from '../server/db/open.ts'
import { atEnd, type AtEnd } from './at-end.ts'
import { testFolder } from './folder.ts'

export interface TestDatabase {
  /** The argument of `openDatabase`. */
  url: string
  /** Deletes the database, even while connections are open. */
  drop(): Promise<void>
}

export interface Template {
  /** Lower-case letters, digits and underscores. Templates of one name have the same content. */
  name: string
  /** Fills the template and closes its connections. Runs once. */
  prepare(url: string): Promise<void>
}

/**
 * Creates a database for one test or file, empty or as a copy of `template`, on SQLite or PostgreSQL
 * as `CHECKSTAND_TEST_DATABASE` says. It is deleted at the end of either. Throws when the variable is neither.
 */
export async function openTestDatabase(
  template?: Template,
  cleanUp: AtEnd = atEnd,
): Promise<TestDatabase> {
  const kind = process.env['CHECKSTAND_TEST_DATABASE']
  if (kind === 'sqlite') return sqliteDatabase(template, cleanUp)
  if (kind !== 'postgres') throw new Error('CHECKSTAND_TEST_DATABASE must be sqlite or postgres')
  const database = await postgresDatabase(template)
  cleanUp(() => database.drop())
  return database
}

/** Opens an empty test database. It is closed and deleted as that of `openTestDatabase`. */
export async function openEmptyDatabase<T>(
  options: OpenOptions = {},
): Promise<OpenedDatabase<T> & { url: string }> {
  const { url } = await openTestDatabase()
  const opened = await openDatabase<T>(url, options)
  atEnd(opened.close)
  return { ...opened, url }
}

/** The bytes of each prepared file. Each test process prepares its own. */
const sqliteTemplates = new Map<string, Promise<Buffer>>()

async function sqliteDatabase(
  template: Template | undefined,
  cleanUp: AtEnd,
): Promise<TestDatabase> {
  const folder = await testFolder(cleanUp)
  const path = join(folder, 'test.db')
  if (template) {
    const prepared = sqliteTemplates.get(template.name) ?? prepareSqlite(template)
    sqliteTemplates.set(template.name, prepared)
    await writeFile(path, await prepared)
  }
  return { url: `file:${path}`, drop: () => rm(folder, { recursive: true, force: true }) }
}

async function prepareSqlite(template: Template): Promise<Buffer> {
  const folder = await testFolder()
  try {
    const path = join(folder, 'template.db')
    await template.prepare(`file:${path}`)
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function postgresDatabase(template: Template | undefined): Promise<TestDatabase> {
  const { adminUrl, prefix, copiesFiles } = inject('testPostgres')
  const name = `${prefix}${randomBytes(6).toString('hex')}`
  const strategy = copiesFiles ? sql`strategy file_copy` : sql``
  await asAdmin(adminUrl, async (admin) => {
    const from = template ? await prepareOnce(admin, adminUrl, prefix, template) : 'template1'
    await sql`create database ${sql.id(name)} template ${sql.id(from)} ${strategy}`.execute(admin)
  })
  return {
    url: withDatabase(adminUrl, name),
    drop: () =>
      asAdmin(adminUrl, async (admin) => {
        await sql`drop database if exists ${sql.id(name)} with (force)`.execute(admin)
      }),
  }
}

/** Creates the template unless another test process has; that one holds the lock meanwhile. */
async function prepareOnce(
  admin: Kysely<unknown>,
  adminUrl: string,
  prefix: string,
  template: Template,
): Promise<string> {
  const name = `${prefix}template_${template.name}`
  const lock = sql`hashtext(${name})`
  await sql`select pg_advisory_lock(${lock})`.execute(admin)
  try {
    const { rows } = await sql`select 1 from pg_database where datname = ${name}`.execute(admin)
    if (rows.length > 0) return name
    await sql`create database ${sql.id(name)} template template1`.execute(admin)
    try {
      await template.prepare(withDatabase(adminUrl, name))
    } catch (error) {
      await sql`drop database ${sql.id(name)} with (force)`.execute(admin)
      throw error
    }
    return name
  } finally {
    await sql`select pg_advisory_unlock(${lock})`.execute(admin)
  }
}

/** Runs `work` on one connection, since advisory locks belong to a connection. */
async function asAdmin<R>(
  adminUrl: string,
  work: (admin: Kysely<unknown>) => Promise<R>,
): Promise<R> {
  const opened = await openDatabase<unknown>(adminUrl)
  try {
    return await opened.db.connection().execute(work)
  } finally {
    await opened.close()
  }
}

function withDatabase(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}
