import { createHash } from 'node:crypto'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/index.ts'
import { assertSameSchema, type SchemaPart } from './schema-difference.ts'
import { readDatabase } from './sqlite-file.ts'

/** Allowed foreign tables: those of SQLite's planner, and of Litestream in replicated databases. */
const FOREIGN_TABLES = new Map(
  Object.entries({
    'table sqlite_stat1': 'create table sqlite_stat1(tbl,idx,stat)',
    'table sqlite_stat4': 'create table sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
    'table _litestream_seq': 'create table _litestream_seq (id integer primary key, seq integer)',
    'table _litestream_lock': 'create table _litestream_lock (id integer)',
  }),
)

/**
 * The digest of the schema after the last migration, so that a start does not run all of them to know it: that takes
 * as long as the rest of a start. A test compares it with what they make.
 */
export const LATEST_DIGEST = 'zjrWutTZvrBdaCco1bAwBqqx3nLymBqhRv9anNhCR7Q'

/**
 * Throws an Error with the difference unless a SQLite file has exactly the schema of the migrations
 * `applied`, with no other trigger, view, table, index or column. Ignores files of a newer version,
 * which `migrate` refuses.
 */
export async function assertSqliteSchema(path: string, applied: readonly string[]): Promise<void> {
  if (applied.some((name) => !Object.hasOwn(migrations, name))) return
  const found = readDatabase(path, readSchema).filter(
    ({ name, definition }) => FOREIGN_TABLES.get(name) !== definition.toLowerCase(),
  )
  if (digestOf(found) === LATEST_DIGEST && applied.length === Object.keys(migrations).length) return
  assertSameSchema(path, await schemaAfter(applied.at(-1)), found)
}

/** Returns a digest of a schema, whatever the order of its parts. */
export function digestOf(schema: readonly SchemaPart[]): string {
  const lines = schema.map(({ name, definition }) => `${name}\n${definition}\n`).toSorted()
  return createHash('sha256').update(lines.join('')).digest('base64url')
}

/** By the name of the last migration, since a process looks at the same version again and again. */
const schemas = new Map<string | undefined, Promise<SchemaPart[]>>()

/** Returns the schema after the migration `last`. */
export function schemaAfter(last: string | undefined): Promise<SchemaPart[]> {
  const known = schemas.get(last) ?? migrateInMemory(last)
  schemas.set(last, known)
  return known
}

async function migrateInMemory(last: string | undefined): Promise<SchemaPart[]> {
  const file = new SqliteDatabase(':memory:')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: file }) })
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const { error } = last === undefined ? {} : await migrator.migrateTo(last)
    if (error !== undefined) throw error
    return readSchema(file)
  } finally {
    await db.destroy()
  }
}

interface Row {
  type: string
  name: string
  tbl_name: string
  sql: string | null
}

function readSchema(db: SqliteDatabase.Database): SchemaPart[] {
  const rows = db.prepare<[], Row>('select type, name, tbl_name, sql from sqlite_schema').all()
  return rows.map(({ type, name, tbl_name, sql }) => ({
    name:
      type === 'table' || type === 'view' ? `${type} ${name}` : `${type} ${name} of ${tbl_name}`,
    definition: (sql ?? '').replace(/\s+/g, ' '),
  }))
}
