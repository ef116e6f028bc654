import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { migrations } from './migrations/index.ts'
import type { OpenedDatabase } from './open.ts'
import { hasPlannerStats, setPlannerStats } from './planner-stats.ts'
import { copyDatabase } from './sqlite-file.ts'
import type { Db, Tables } from './tables.ts'
import { isSqlite } from './dialect.ts'

/**
 * Migrates the database in one transaction and returns the names of the applied migrations. A
 * concurrent process waits. Throws when a migration fails, or when the database has migrations of a
 * newer version.
 */
export async function migrate(
  db: Db,
  steps: Record<string, Migration> = migrations,
): Promise<string[]> {
  const present = await appliedTo(db)
  assertNotNewer(present)
  const names = Object.keys(steps)
  const applied = names.every((name) => present.includes(name)) ? [] : await applySteps(db, steps)
  if (!(await hasPlannerStats(db))) await setPlannerStats(db)
  if (isSqlite(db)) await setUpWriter(db)
  return applied
}

/**
 * Sets how the connection that writes uses memory from now on. What a savepoint can undo stays in memory: SQLite
 * otherwise moves it to a temporary file when a transaction has changed 16 pages, and a payment changes more. The
 * cache takes 4 MB, as a larger one makes nothing faster. Migrations before had the file and the driver's 16 MB, to
 * sort the entries of an index on a large table.
 */
async function setUpWriter(db: Db): Promise<void> {
  // In a transaction, because only those have the writing connection.
  await db.transaction().execute(async (trx) => {
    await sql`pragma temp_store = memory`.execute(trx)
    await sql`pragma cache_size = -4000`.execute(trx)
  })
}

async function applySteps(db: Db, steps: Record<string, Migration>): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => (isSqlite(db) ? steps : withoutTimeout(steps)) },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName
    throw new Error(`Migration ${failed ?? ''} failed; nothing after it was applied`, {
      cause: error,
    })
  }
  return (results ?? []).map((result) => result.migrationName)
}

/** Lifts PostgreSQL's statement timeout: an index on a large table takes longer than a request may. */
function withoutTimeout(steps: Record<string, Migration>): Record<string, Migration> {
  const lifted = (step: Migration): Migration => ({
    async up(db) {
      await sql`set local statement_timeout = 0`.execute(db)
      await step.up(db)
    },
  })
  return Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, lifted(step)]))
}

/**
 * Migrates an opened database. Before a change, a SQLite file is copied to a file beside it, such as
 * `checkstand.db.before-0012`. The copy of an earlier attempt is replaced.
 */
export async function migrateWithCopy(
  database: Pick<OpenedDatabase<Tables>, 'db' | 'path'>,
  steps: Record<string, Migration> = migrations,
): Promise<{ applied: string[]; copy: string | null }> {
  const { db, path } = database
  const present = await appliedTo(db)
  assertNotNewer(present)
  const next = Object.keys(steps).find((name) => !present.includes(name))
  const copy =
    path !== null && present.length > 0 && next !== undefined
      ? `${path}.before-${next.split('-')[0]}`
      : null
  if (path !== null && copy !== null) copyDatabase(path, copy, { replace: true })
  return { applied: await migrate(db, steps), copy }
}

/** Returns the names of the applied migrations in order; none for a new database. */
export async function appliedTo(db: Db): Promise<string[]> {
  const { rows: tables } = await (
    isSqlite(db)
      ? sql`select 1 from sqlite_schema where name = 'kysely_migration'`
      : sql`select 1 where to_regclass('kysely_migration') is not null`
  ).execute(db)
  if (tables.length === 0) return []
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

function assertNotNewer(applied: readonly string[]): void {
  const unknown = applied.find((name) => !Object.hasOwn(migrations, name))
  if (unknown) {
    throw new Error(
      `This database was written by a newer Checkstand (it has ${unknown}). ` +
        'Start that version, or restore a backup made before it.',
    )
  }
}
