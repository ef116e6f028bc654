import { readConfig } from '../config.ts'
import { openMigrated } from '../db/open-migrated.ts'
import { print } from './output.ts'
import { JSON_OPTION, readOptions } from './usage.ts'

const HELP = `npx checkstand migrate [--json]

Migrates the database to this version's schema. A SQLite database is first copied to a file beside
it when a migration is pending.`

/** `checkstand migrate`. */
export async function migrateCommand(args: string[]): Promise<void> {
  const usage = readOptions(args, { help: HELP, options: JSON_OPTION })
  if (!usage) return
  const { database, applied, copy } = await openMigrated(readConfig().databaseUrl)
  await database.close()
  print({ applied, ...(copy === null ? {} : { copy }) }, usage.values.json ?? false)
}
