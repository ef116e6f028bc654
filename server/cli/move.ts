import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { moveDatabase, type MovedTable } from '../db/sqlite-to-postgres.ts'
import { isPostgres, sqlitePath } from '../db/open.ts'
import { assertDatabase } from './database.ts'
import { UsageError, requireOption } from './usage.ts'

const HELP = `npx checkstand move --to postgres://user@host/database [--json]

Copies the SQLite database of DATABASE_URL into an empty PostgreSQL database. Stop the server
first. All of it arrives, compared row by row, or nothing does; the file stays as it is.

The password of the user is taken from PGPASSWORD or from ~/.pgpass, as psql takes it: other users of
the machine could read it from an argument.

Afterwards start the server with the new DATABASE_URL, and put the file away: two servers on two
copies would both collect what is due.`

/** `checkstand move`: from one file to PostgreSQL, when a second process is wanted. */
export async function moveCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      to: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const to = requireOption(values.to, 'to')
  const { databaseUrl } = readConfig()
  if (!isPostgres(to)) throw new UsageError(`--to must be a postgres:// address\n\n${HELP}`)
  refusePassword(to)
  if (isPostgres(databaseUrl)) {
    throw new Error('DATABASE_URL is PostgreSQL already; pg_dump and pg_restore move it further')
  }
  assertDatabase(databaseUrl)
  const moved = await moveDatabase(sqlitePath(databaseUrl), to)
  if (values.json) console.log(JSON.stringify({ moved }))
  else
    console.log(
      moved
        .filter(({ rows }) => rows > 0)
        .map(line)
        .join('\n'),
    )
}

function refusePassword(to: string): void {
  if (!URL.canParse(to)) throw new UsageError('--to is not a valid postgres:// address')
  const { password, searchParams } = new URL(to)
  if (password === '' && !searchParams.has('password')) return
  throw new UsageError(
    '--to may not hold a password: other users of this machine can read the arguments of a ' +
      'program. Put it into PGPASSWORD or ~/.pgpass',
  )
}

function line({ table, rows, money }: MovedTable): string {
  const sums = Object.entries(money).map(([name, sum]) => `${name} ${sum}`)
  return `${table}: ${rows} rows${sums.length > 0 ? ` (${sums.join(', ')}, minor units)` : ''}`
}
