import { readConfig } from '../config.ts'
import { moveDatabase, type MovedTable } from '../db/sqlite-to-postgres.ts'
import { isPostgres, sqlitePath } from '../db/open.ts'
import { usedKeyFile } from '../processors/encryption-keys.ts'
import { assertDatabase } from './database.ts'
import { JSON_OPTION, readOptions, requireOption, UsageError } from './usage.ts'

const HELP = `npx checkstand move --to postgres://user@host/database [--json]

Copies the SQLite database of DATABASE_URL to an empty PostgreSQL database and compares every row. On
an error nothing is copied. The file does not change. Stop the server first.

The password is read from PGPASSWORD or ~/.pgpass, as psql does: other users of the machine can read
arguments.

Afterwards start the server with the new DATABASE_URL and archive the file. Two servers on two copies
would both collect due charges.`

/** `checkstand move`: copies a SQLite database to PostgreSQL. */
export async function moveCommand(args: string[]): Promise<void> {
  const options = { to: { type: 'string' }, ...JSON_OPTION } as const
  const usage = readOptions(args, { help: HELP, options })
  if (!usage) return
  const { values } = usage
  const to = requireOption(values.to, 'to')
  const config = readConfig()
  const { databaseUrl } = config
  if (!isPostgres(to)) throw new UsageError(`--to must be a postgres:// address\n\n${HELP}`)
  assertNoPassword(to)
  if (isPostgres(databaseUrl)) {
    throw new Error('DATABASE_URL is PostgreSQL already; use pg_dump and pg_restore')
  }
  assertDatabase(databaseUrl)
  const moved = await moveDatabase(sqlitePath(databaseUrl), to)
  const keyFile = usedKeyFile(config)
  if (keyFile !== undefined) {
    console.error(`Set CHECKSTAND_ENCRYPTION_KEY to the content of ${keyFile} on every server`)
  }
  if (values.json) console.log(JSON.stringify({ moved }))
  else
    console.log(
      moved
        .filter(({ rows }) => rows > 0)
        .map(line)
        .join('\n'),
    )
}

function assertNoPassword(to: string): void {
  if (!URL.canParse(to)) throw new UsageError('--to is not a valid postgres:// address')
  const { password, searchParams } = new URL(to)
  if (password === '' && !searchParams.has('password')) return
  throw new UsageError(
    '--to must not contain a password: other users of this machine can read arguments. ' +
      'Use PGPASSWORD or ~/.pgpass',
  )
}

function line({ table, rows, money }: MovedTable): string {
  const sums = Object.entries(money).map(([name, sum]) => `${name} ${sum}`)
  return `${table}: ${rows} rows${sums.length > 0 ? ` (${sums.join(', ')}, minor units)` : ''}`
}
