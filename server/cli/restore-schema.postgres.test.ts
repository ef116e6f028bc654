import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase, type OpenedDatabase } from '../db/open.ts'
import { assertPostgresSchema } from '../db/postgres-schema.ts'
import type { Tables } from '../db/tables.ts'
import { MIGRATED } from '../../test/app.ts'
import { runCommand } from '../../test/run-command.ts'
import { isDeep } from '../../test/depth.ts'
import { openTestDatabase, type Template } from '../../test/database.ts'

/** A database whose schema is other than ours is not prepared in place after a restore. */

let opened: OpenedDatabase<Tables>

/** Opens a database for one test. Returns its address. */
async function open(template?: Template): Promise<string> {
  const { url } = await openTestDatabase(template)
  opened = await openDatabase(url)
  onTestFinished(opened.close)
  return url
}

const run = (statement: string) => sql.raw(statement).execute(opened.db)
const FUNCTION = `create function pay() returns trigger language plpgsql as 'begin return new; end'`

const CHANGES: [statements: string[], problem: string][] = [
  [[FUNCTION], 'function pay() is unexpected'],
  [
    [FUNCTION, 'create trigger pay after insert on payments for each row execute function pay()'],
    'trigger pay of payments is unexpected',
  ],
  [
    ['create rule pay as on delete to payments do instead nothing'],
    'rule pay of payments is unexpected',
  ],
  [['create view money as select * from payments'], 'view money is unexpected'],
  [['create table notes (text text)'], 'table notes is unexpected'],
  [['create domain money2 as text'], 'type money2 is unexpected'],
  [
    ['create schema other', 'create table other.shadow () inherits (payments)'],
    'heir other.shadow of payments is unexpected',
  ],
  [['alter table payments add column more text'], 'column payments.more is unexpected'],
  [
    ['alter table payments alter column description set default 0'],
    'column payments.description has another definition',
  ],
  [['alter table payments enable row level security'], 'table payments has another definition'],
  [['create policy mine on payments using (true)'], 'policy mine of payments is unexpected'],
  [['alter table payments disable trigger all'], 'of payments is unexpected'],
  [['drop index events_fan_out'], 'index events_fan_out of events is missing'],
]

// Each needs a database of its own, so `npm test` takes some of them.
it.each(CHANGES.filter((_, at) => isDeep || at % 4 === 1))(
  'after %j a database is refused, and the difference is named',
  async (statements, problem) => {
    await open(MIGRATED)
    for (const statement of statements) await run(statement)
    await expect(assertPostgresSchema(opened.db)).rejects.toThrow(problem)
  },
)

it('a database is prepared in place, and refused with more in it than its version made', async () => {
  const url = await open()
  await migrate(opened.db, Object.fromEntries(Object.entries(migrations).slice(0, -1)))
  await run('create view money as select * from payments')
  const refused = await runCommand(url, ['restore', '--in-place'])
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('view money is unexpected'),
  ])
  await run('drop view money')
  const ran = await runCommand(url, ['restore', '--in-place', '--json'])
  expect([ran.code, ran.err]).toEqual([0, ''])
  expect(ran.json).toEqual({ to_reconcile: 0, on_hold: [] })
  await assertPostgresSchema(opened.db)
})

it('a database of ours passes, whatever is in other schemas, and looking leaves nothing behind', async () => {
  await open(MIGRATED)
  await run('create schema other')
  await run('create table other.payments (id text)')
  const schemas = async () => (await sql`select nspname from pg_namespace`.execute(opened.db)).rows
  const before = await schemas()
  await assertPostgresSchema(opened.db)
  expect(await schemas()).toEqual(before)
})

it('an empty database is none of ours', async () => {
  await open()
  await expect(assertPostgresSchema(opened.db)).rejects.toThrow('it is empty')
})
