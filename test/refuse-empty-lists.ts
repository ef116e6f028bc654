import SqliteDatabase from 'better-sqlite3'

type Prepare = SqliteDatabase.Database['prepare']

/** `in ()`, which is a syntax error for PostgreSQL. */
const EMPTY_LIST = /\bin \(\)/

const prepare: Prepare = Reflect.get(SqliteDatabase.prototype, 'prepare')

function prepareForBoth(this: SqliteDatabase.Database, sql: string) {
  if (EMPTY_LIST.test(sql)) throw new Error(`PostgreSQL refuses an empty list: ${sql}`)
  return prepare.call(this, sql)
}

/**
 * Makes statements with an empty list fail on SQLite as on PostgreSQL, since `npm test` runs most tests
 * on SQLite alone. Calling it again changes nothing.
 */
export function refuseEmptyLists(): void {
  SqliteDatabase.prototype.prepare = prepareForBoth as Prepare
}
