import { type Kysely, SqliteAdapter } from 'kysely'

export function isSqlite<T>(db: Kysely<T>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
