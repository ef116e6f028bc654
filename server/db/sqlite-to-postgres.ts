import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations/index.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'
import { assertPostgresSchema } from './postgres-schema.ts'
import { lockExclusively } from './sqlite-file.ts'
import type { Db } from './tables.ts'

type Source = ReturnType<typeof lockExclusively>['db']
type Target = Kysely<unknown>

/** What one table held on both sides. */
export interface MovedTable {
  table: string
  rows: number
  /** Sums of its money columns in minor units, by currency and column: `EUR amount`. */
  money: Record<string, string>
}

interface Table {
  name: string
  columns: string[]
  integers: string[]
}

const ROWS_MAX = 1000
/** So that a thousand long texts do not become one statement of a hundred megabytes. */
const BYTES_MAX = 4_000_000
const MONEY = /^(.*_)?(amount|reserved|captured|released|refunded)$/

/**
 * Copies everything that a SQLite file holds into an empty PostgreSQL database, in one transaction:
 * afterwards all of it is there, or nothing. Nobody can use the file meanwhile, nor the tables, and
 * the file is left as it was.
 *
 * Every row is read back before the transaction ends: numbers of rows, sums of money, and a digest
 * of all values must be the same on both sides. Throws before anything is written when a server has
 * the file open, when it has another schema than this program, or when the target holds rows.
 */
export async function moveDatabase(path: string, targetUrl: string): Promise<MovedTable[]> {
  const { db: source, release } = lockExclusively(path)
  try {
    source.pragma('query_only = ON')
    source.defaultSafeIntegers(true)
    expectPresentSchema(source)
    const target = await openDatabase(targetUrl)
    try {
      if (target.kind !== 'postgres') throw new Error('A database is moved to PostgreSQL only')
      await expectEmpty(target.db)
      await migrate(target.db)
      await assertPostgresSchema(target.db)
      const moved = await fill(source, target.db)
      await sql`analyze`.execute(target.db)
      return moved
    } finally {
      await target.close()
    }
  } finally {
    release()
  }
}

async function fill(source: Source, db: Db): Promise<MovedTable[]> {
  const tables = tablesInOrder(source)
  return db.transaction().execute(async (tx) => {
    const target = tx as unknown as Target
    await sql`set local statement_timeout = 0`.execute(target)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(target)
    const names = sql.join(tables.map(({ name }) => sql.table(name)))
    // A server that starts on the target now waits, and then finds a merchant there.
    await sql`lock table ${names} in access exclusive mode`.execute(target)
    for (const table of tables) await expectTwin(target, table)
    for (const table of tables) await copyRows(source, target, table)
    const moved: MovedTable[] = []
    for (const table of tables) moved.push(await compare(source, target, table))
    return moved
  })
}

function expectPresentSchema(source: Source): void {
  const applied = source
    .prepare("select 1 from sqlite_schema where name = 'kysely_migration'")
    .get()
    ? source.prepare<[], string>('select name from kysely_migration order by name').pluck().all()
    : []
  if (applied.join() === Object.keys(migrations).join()) return
  throw new Error(
    'The database has the schema of another version. Bring it to this one first: npx checkstand migrate',
  )
}

/** The tables that hold our rows, each after those that its rows refer to. */
function tablesInOrder(source: Source): Table[] {
  const names = source
    .prepare<[], string>(
      `select name from sqlite_schema
       where type = 'table' and name not like 'sqlite^_%' escape '^' and name not like 'kysely^_%' escape '^'
       order by name`,
    )
    .pluck()
    .all()
  const refersTo = source
    .prepare<[string], string>('select distinct "table" from pragma_foreign_key_list(?)')
    .pluck()
  const ordered: string[] = []
  const waiting = new Set(names)
  while (waiting.size > 0) {
    const ready = [...waiting].filter((name) =>
      refersTo.all(name).every((other) => other === name || !waiting.has(other)),
    )
    if (ready.length === 0) throw new Error(`The tables refer in a circle: ${[...waiting].join()}`)
    for (const name of ready) waiting.delete(name)
    ordered.push(...ready)
  }
  return ordered.map((name) => describe(source, name))
}

function describe(source: Source, name: string): Table {
  const columns = source
    .prepare<[string], { name: string; type: string }>(
      'select name, lower(type) as type from pragma_table_info(?) order by cid',
    )
    .all(name)
  return {
    name,
    columns: columns.map((column) => column.name),
    integers: columns.filter(({ type }) => /int/.test(type)).map((column) => column.name),
  }
}

/** Looked at before anything is made there: a database of somebody else keeps its own tables. */
async function expectEmpty(target: Db): Promise<void> {
  for (const { name } of await target.introspection.getTables()) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target)
    if (rows.length > 0) throw notEmpty(name)
  }
}

const notEmpty = (table: string) =>
  new Error(`The target is not empty: its table ${table} has rows. Nothing was changed.`)

/** The target has the same table with the same columns, and no row in it. */
async function expectTwin(target: Target, { name, columns }: Table): Promise<void> {
  const { rows: found } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${name}`.execute(target)
  const missing = columns.filter((column) => !found.some((other) => other.name === column))
  if (missing.length > 0 || found.length !== columns.length) {
    throw new Error(`The table ${name} is not the same in both databases`)
  }
  const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target)
  if (rows.length > 0) throw notEmpty(name)
}

type Row = Record<string, string | bigint | null>

async function copyRows(source: Source, target: Target, table: Table): Promise<void> {
  const columns = sql.join(table.columns.map((column) => sql.ref(column)))
  let batch: string[] = []
  let bytes = 0
  const flush = async () => {
    if (batch.length === 0) return
    await sql`
      insert into ${sql.table(table.name)} (${columns})
      select ${columns}
      from json_populate_recordset(null::${sql.table(table.name)}, ${`[${batch.join()}]`}::json)
    `.execute(target)
    batch = []
    bytes = 0
  }
  // In the order of insertion: a row that names another of its own table comes after it.
  for (const row of source
    .prepare<[], Row>(`select * from "${table.name}" order by rowid`)
    .iterate()) {
    const text = JSON.stringify(row, asText)
    batch.push(text)
    bytes += text.length
    if (batch.length >= ROWS_MAX || bytes >= BYTES_MAX) await flush()
  }
  await flush()
}

/** JSON has no whole numbers beyond 2^53; PostgreSQL reads them from text just as well. */
function asText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

async function compare(source: Source, target: Target, table: Table): Promise<MovedTable> {
  const there = newTally(table)
  for (const row of source.prepare<[], Row>(`select * from "${table.name}"`).iterate()) {
    there.add(row)
  }
  const here = newTally(table)
  const { name } = table
  const columns = sql.join(
    table.columns.map((column) => sql`${sql.ref(column)}::text as ${sql.ref(column)}`),
  )
  await sql`declare moved no scroll cursor for select ${columns} from ${sql.table(name)}`.execute(
    target,
  )
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(ROWS_MAX)} from moved`.execute(target)
    for (const row of rows) here.add(row)
    if (rows.length === 0) break
  }
  await sql`close moved`.execute(target)
  const [wanted, got] = [there.total(), here.total()]
  if (JSON.stringify(wanted) !== JSON.stringify(got)) {
    throw new Error(
      `The table ${name} did not arrive as it was: ${JSON.stringify(wanted)} became ` +
        `${JSON.stringify(got)}. Nothing was kept.`,
    )
  }
  return { table: name, rows: wanted.rows, money: wanted.money }
}

/** Adds up rows in whatever order they come. */
function newTally(table: Table) {
  let rows = 0
  let digest = 0n
  const sums = new Map<string, bigint>()
  const money = table.integers.filter((column) => MONEY.test(column))
  return {
    add(row: Row): void {
      rows += 1
      const values = table.columns.map((column) => row[column]?.toString() ?? null)
      const hash = createHash('sha256').update(JSON.stringify(values)).digest()
      digest = BigInt.asUintN(64, digest + hash.readBigUInt64BE())
      for (const column of money) {
        const name = `${String(row['currency'] ?? '')} ${column}`.trim()
        sums.set(name, (sums.get(name) ?? 0n) + BigInt(row[column] ?? 0))
      }
    },
    total() {
      const money = [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1))
      return {
        rows,
        money: Object.fromEntries(money.map(([name, sum]) => [name, sum.toString()])),
        digest: digest.toString(16),
      }
    },
  }
}
