import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/index.ts'
import { assertSameSchema, type SchemaPart } from './schema-difference.ts'
import { readFrom } from './sqlite-file.ts'

/**
 * Tables that are none of ours and may be there: SQLite's own estimates for its planner, and what
 * Litestream writes into each database that it replicates.
 */
const OTHERS = new Map(
  Object.entries({
    'table sqlite_stat1': 'create table sqlite_stat1(tbl,idx,stat)',
    'table sqlite_stat4': 'create table sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
    'table _litestream_seq': 'create table _litestream_seq (id integer primary key, seq integer)',
    'table _litestream_lock': 'create table _litestream_lock (id integer)',
  }),
)

/**
 * Throws an Error that names the difference unless a SQLite file has the schema that the steps
 * `applied` make, and nothing else: no trigger, view, table, index or column. A file with a step that
 * this program does not know is left to the refusal of newer databases.
 */
export async function assertSqliteSchema(path: string, applied: readonly string[]): Promise<void> {
  if (applied.some((name) => !Object.hasOwn(migrations, name))) return
  const found = readFrom(path, partsOf).filter(
    ({ name, definition }) => OTHERS.get(name) !== definition.toLowerCase(),
  )
  assertSameSchema(path, await partsAfter(applied.at(-1)), found)
}

/** Makes the schema anew, in memory, up to and with the step `last`. */
async function partsAfter(last: string | undefined): Promise<SchemaPart[]> {
  const file = new SqliteDatabase(':memory:')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: file }) })
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const { error } = last === undefined ? {} : await migrator.migrateTo(last)
    if (error !== undefined) throw error
    return partsOf(file)
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

function partsOf(db: SqliteDatabase.Database): SchemaPart[] {
  const rows = db.prepare<[], Row>('select type, name, tbl_name, sql from sqlite_schema').all()
  return rows.map(({ type, name, tbl_name, sql }) => ({
    name:
      type === 'table' || type === 'view' ? `${type} ${name}` : `${type} ${name} of ${tbl_name}`,
    definition: (sql ?? '').replace(/\s+/g, ' '),
  }))
}
