import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { openMigrated } from '../db/open-migrated.ts'
import { print } from './output.ts'

const HELP = `npx checkstand migrate [--json]

Brings the database to this version's schema. A SQLite file is copied first, beside itself, when
there is something to change in it.`

/** `checkstand migrate`: brings the database to this version's schema. */
export async function migrateCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { json: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const { database, applied, copy } = await openMigrated(readConfig().databaseUrl)
  await database.close()
  print({ applied, ...(copy === null ? {} : { copy }) }, values.json ?? false)
}
