import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { migrations } from './migrations/index.ts'
import type { OpenedDatabase } from './open.ts'
import { hasPlannerStats, setPlannerStats } from './planner-stats.ts'
import { copyDatabase } from './sqlite-file.ts'
import type { Db, Tables } from './tables.ts'
import { isSqlite } from './dialect.ts'

/**
 * Brings the database to this program's schema, before anything listens. Two processes that start
 * together wait for each other. Answers the names of what was applied; throws when a step failed,
 * or when the database was written by a newer program, whose data this one could damage.
 *
 * All steps are one transaction: a process that dies over it leaves the schema as it was.
 */
export async function migrate(
  db: Db,
  steps: Record<string, Migration> = migrations,
): Promise<string[]> {
  await refuseNewer(db)
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

/**
 * Returns the steps with PostgreSQL's limit for a statement lifted: an index over a large table takes
 * longer than a request may.
 */
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
 * The same for an opened database, with a copy of a SQLite file made first when there is anything
 * to change in it: `checkstand.db.before-0012` beside the file (safety section 3.2, rule 11). One
 * that an earlier try has left is replaced, since the file has not changed its schema since.
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
  await refuseNewer(db)
  if (path !== null && copy !== null) copyDatabase(path, copy, { replace: true })
  return { applied: await migrate(db, steps), copy }
}

/** Names of the steps that a database has, in order; none for one that is new. */
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

async function refuseNewer(db: Db): Promise<void> {
  const unknown = (await appliedTo(db)).find((name) => !Object.hasOwn(migrations, name))
  if (unknown) {
    throw new Error(
      `This database was written by a newer Checkstand (it has ${unknown}). ` +
        'Start that version, or restore a backup made before it.',
    )
  }
}
