import { SqliteAdapter, SqliteQueryCompiler } from 'kysely'

/** Kysely's own adapter lets one query run at a time; ours queues only what writes. */
export class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  // SQLite rolls back CREATE and ALTER like anything else, so a migration is whole or absent.
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * SQLite looks into the values of bare parameters when it plans a join, a list or a limit, and then
 * plans anew at every execution, which costs ten times the query. It does not look behind a sign. So
 * the condition of a partial index has to stand in a query as a constant, as on PostgreSQL.
 */
export class SteadyPlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}
