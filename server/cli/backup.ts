import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { copyDatabase } from '../db/sqlite-file.ts'
import { isPostgres, sqlitePath } from '../db/open.ts'
import { assertDatabase } from './database.ts'
import { print } from './output.ts'
import { UsageError } from './usage.ts'

const HELP = `npx checkstand backup <file> [--json]

Writes everything that the database holds at this moment to a new file, while a server goes on
using it. The copy is checked before it gets its name. On PostgreSQL use pg_dump, which does the
same.`

/** `checkstand backup`: a copy of a SQLite database that is in use (safety 3.2, rule 10). */
export async function backupCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const [named] = positionals
  if (named === undefined || positionals.length > 1) throw new UsageError(HELP)
  const { databaseUrl } = readConfig()
  if (isPostgres(databaseUrl)) {
    throw new Error('PostgreSQL is backed up with its own tools: pg_dump --format=custom')
  }
  assertDatabase(databaseUrl, { writes: false })
  const file = resolve(named)
  copyDatabase(sqlitePath(databaseUrl), file)
  print({ backup: file, bytes: statSync(file).size }, values.json ?? false)
}
