import { SqliteAdapter, SqliteQueryCompiler } from 'kysely'

/** Kysely's adapter runs one query at a time; this one only queues writes. */
export class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  // SQLite rolls back CREATE and ALTER, so a migration is atomic.
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * For a join, a list or a limit, SQLite peeks at the values of bare parameters and plans again at
 * every execution, which costs ten times the query. It does not peek behind a unary plus. A
 * condition of a partial index must therefore be a literal, as on PostgreSQL.
 */
export class StablePlanQueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}
