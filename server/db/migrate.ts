import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/index.ts'
import { hasRowEstimates, setRowEstimates } from './row-estimates.ts'
import type { Db } from './tables.ts'

/**
 * Brings the database to this program's schema, before anything listens. Two processes that start
 * together wait for each other. Answers the names of what was applied; throws when a step failed,
 * or when the database was written by a newer program, whose data this one could damage.
 */
export async function migrate(db: Db): Promise<string[]> {
  await refuseNewer(db)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName
    throw new Error(`Migration ${failed ?? ''} failed; nothing after it was applied`, {
      cause: error,
    })
  }
  const applied = (results ?? []).map((result) => result.migrationName)
  if (applied.length > 0 || !(await hasRowEstimates(db))) await setRowEstimates(db)
  return applied
}

async function refuseNewer(db: Db): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  const unknown = rows.find((row) => !Object.hasOwn(migrations, row.name))
  if (unknown) {
    throw new Error(
      `This database was written by a newer Checkstand (it has ${unknown.name}). ` +
        'Start that version, or restore a backup made before it.',
    )
  }
}
