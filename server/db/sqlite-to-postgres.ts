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

/** The contents of one table, equal on both sides. */
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
/** Per statement. */
const BYTES_MAX = 4_000_000
const MONEY = /^(.*_)?(amount|reserved|captured|released|refunded)$/

/**
 * Copies a SQLite file into an empty PostgreSQL database in one transaction. The file and the tables
 * are locked meanwhile, and the file stays unchanged.
 *
 * Before the commit every row is read back: numbers of rows, sums of money and a digest of all
 * values must be equal. Throws before writing when a server has the file open, its schema is not
 * current, or the target has rows.
 */
export async function moveDatabase(path: string, targetUrl: string): Promise<MovedTable[]> {
  const { db: source, release } = lockExclusively(path)
  try {
    source.pragma('query_only = ON')
    source.defaultSafeIntegers(true)
    assertCurrentSchema(source)
    const target = await openDatabase(targetUrl)
    try {
      if (target.kind !== 'postgres') throw new Error('A database is moved to PostgreSQL only')
      await assertEmpty(target.db)
      await migrate(target.db)
      // The migrations fill them; the file has its own rows.
      await sql`delete from insight_backfills`.execute(target.db)
      await sql`delete from oauth_clients`.execute(target.db)
      await assertPostgresSchema(target.db)
      const moved = await copyTables(source, target.db)
      await sql`analyze`.execute(target.db)
      return moved
    } finally {
      await target.close()
    }
  } finally {
    release()
  }
}

async function copyTables(source: Source, db: Db): Promise<MovedTable[]> {
  const tables = tablesInOrder(source)
  return db.transaction().execute(async (tx) => {
    const target = tx as unknown as Target
    await sql`set local statement_timeout = 0`.execute(target)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(target)
    const names = sql.join(tables.map(({ name }) => sql.table(name)))
    // A server that starts on the target waits until the rows are there.
    await sql`lock table ${names} in access exclusive mode`.execute(target)
    for (const table of tables) await assertSameTable(target, table)
    for (const table of tables) await copyRows(source, target, table)
    const moved: MovedTable[] = []
    for (const table of tables) moved.push(await compare(source, target, table))
    return moved
  })
}

function assertCurrentSchema(source: Source): void {
  const applied = source
    .prepare("select 1 from sqlite_schema where name = 'kysely_migration'")
    .get()
    ? source.prepare<[], string>('select name from kysely_migration order by name').pluck().all()
    : []
  if (applied.join() === Object.keys(migrations).join()) return
  throw new Error(
    'The database has the schema of another version. Migrate it first: npx checkstand migrate',
  )
}

/** Returns the tables in the order of their foreign keys. */
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
    if (ready.length === 0) throw new Error(`The foreign keys form a cycle: ${[...waiting].join()}`)
    for (const name of ready) waiting.delete(name)
    ordered.push(...ready)
  }
  return ordered.map((name) => describeTable(source, name))
}

function describeTable(source: Source, name: string): Table {
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

/** Checked before the migration, so that a foreign database stays unchanged. */
async function assertEmpty(target: Db): Promise<void> {
  for (const { name } of await target.introspection.getTables()) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target)
    if (rows.length > 0) throw notEmpty(name)
  }
}

const notEmpty = (table: string) =>
  new Error(`The target is not empty: its table ${table} has rows. Nothing was changed.`)

/** Throws unless the target has the same table with the same columns and no row. */
async function assertSameTable(target: Target, { name, columns }: Table): Promise<void> {
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
  // In the order of insertion, because of foreign keys within a table.
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

/** JSON numbers are not exact beyond 2^53; PostgreSQL also parses text. */
function asText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

async function compare(source: Source, target: Target, table: Table): Promise<MovedTable> {
  const expected = newTally(table)
  for (const row of source.prepare<[], Row>(`select * from "${table.name}"`).iterate()) {
    expected.add(row)
  }
  const copied = newTally(table)
  const { name } = table
  const columns = sql.join(
    table.columns.map((column) => sql`${sql.ref(column)}::text as ${sql.ref(column)}`),
  )
  await sql`declare moved no scroll cursor for select ${columns} from ${sql.table(name)}`.execute(
    target,
  )
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(ROWS_MAX)} from moved`.execute(target)
    for (const row of rows) copied.add(row)
    if (rows.length === 0) break
  }
  await sql`close moved`.execute(target)
  const [before, after] = [expected.total(), copied.total()]
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    throw new Error(
      `The table ${name} was not copied correctly: ${JSON.stringify(before)} became ` +
        `${JSON.stringify(after)}. Nothing was changed.`,
    )
  }
  return { table: name, rows: before.rows, money: before.money }
}

/** Tallies rows in any order. */
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
