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
  await assertNotNewer(db)
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
  const applied = (results ?? []).map((result) => result.migrationName)
  if (!(await hasPlannerStats(db))) await setPlannerStats(db)
  return applied
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
  const next = Object.keys(steps).find((name) => !present.includes(name))
  const copy =
    path !== null && present.length > 0 && next !== undefined
      ? `${path}.before-${next.split('-')[0]}`
      : null
  await assertNotNewer(db)
  if (path !== null && copy !== null) copyDatabase(path, copy, { replace: true })
  return { applied: await migrate(db, steps), copy }
}

/** Returns the names of the applied migrations in order; none for a new database. */
export async function appliedTo(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

async function assertNotNewer(db: Db): Promise<void> {
  const unknown = (await appliedTo(db)).find((name) => !Object.hasOwn(migrations, name))
  if (unknown) {
    throw new Error(
      `This database was written by a newer Checkstand (it has ${unknown}). ` +
        'Start that version, or restore a backup made before it.',
    )
  }
}
