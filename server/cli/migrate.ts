import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'
import { print } from './usage.ts'

/** `checkstand migrate`: brings the database to this version's schema. */
export async function migrateCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { json: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    console.log('checkstand migrate [--json]\n\nBrings the database to this version’s schema.')
    return
  }
  const database = await openDatabase<Tables>(readConfig().databaseUrl)
  try {
    print({ applied: await migrate(database.db) }, values.json ?? false)
  } finally {
    await database.close()
  }
}
