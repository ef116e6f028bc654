import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { startPostgres } from '../../test/postgres.ts'
import { startProgram } from '../../test/program.ts'
import { fire } from './fire.ts'
import { UNLIMITED } from './merchant.ts'

/**
 * How long the server takes to delete old events, row by row as it does, and what creating links costs meanwhile;
 * and what it would take with a partition of PostgreSQL for each month, whose table is dropped. `EVENTS` sets how
 * many there are.
 */

const EVENTS = Number(process.env['EVENTS'] ?? 500_000)
const LOAD = { connections: 16, seconds: 5 }
const SETTINGS = { ...UNLIMITED, LOG_LEVEL: 'warn' }
/** Older than events are kept. They sort by their time, which their ids begin with. */
const OLD = Date.now() - 40 * 86_400_000

/** A database that is filled while no server runs on it. */
interface Filled {
  name: string
  url: string
  /** Copies the first event until there are `EVENTS` of them, 40 days ago. */
  fill: () => Promise<void>
  /** How many of them are left. */
  left: () => Promise<number>
  stop: () => Promise<void>
}

function onSqlite(): Filled {
  const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-'))
  const file = join(folder, 'bench.db')
  const open = <T>(work: (db: Sqlite.Database) => T): T => {
    const db = new Sqlite(file)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  return {
    name: 'SQLite',
    url: `file:${file}`,
    fill: async () =>
      open((db) => {
        db.exec(`with recursive n(n) as (select 1 union all select n + 1 from n where n < ${EVENTS})
          insert into events (id, instance_id, type, data, fan_out, about, created)
          select 'evt_${OLD}_' || printf('%09d', n), instance_id, type, data, 0, about, created
          from (select * from events limit 1), n`)
      }),
    left: async () =>
      open((db) =>
        db.prepare(`select count(*) from events where id < 'evt_${OLD}_:'`).pluck().get(),
      ) as number,
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function onPostgres(): Promise<Filled & { client: Client }> {
  const postgres = await startPostgres('power cut')
  const client = new Client(postgres.adminUrl)
  await client.connect()
  return {
    name: 'PostgreSQL',
    url: postgres.adminUrl,
    client,
    async fill() {
      await fillTable(client, 'events')
    },
    async left() {
      const { rows } = await client.query<{ count: string }>(
        `select count(*) from events where id < 'evt_${OLD}_:'`,
      )
      return Number(rows[0]?.count)
    },
    async stop() {
      await client.end()
      await postgres.stop()
    },
  }
}

async function fillTable(client: Client, table: string): Promise<void> {
  await client.query(`insert into ${table} (id, instance_id, type, data, fan_out, about, created)
    select 'evt_${OLD}_' || lpad(n::text, 9, '0'), instance_id, type, data, 0, about, created
    from (select * from events limit 1) one, generate_series(1, ${EVENTS}) n`)
  await client.query(`vacuum analyze ${table}`)
}

const rows: Record<string, string | number>[] = []

/** Measures creating links without old events, and then while the server deletes them. */
async function measure(database: Filled): Promise<void> {
  const first = await startProgram(database.url, SETTINGS)
  await fire('create', first.base, { ...LOAD, seconds: 3 })
  const idle = await fire('create', first.base, LOAD)
  first.process.kill()
  await first.ended
  await database.fill()
  const second = await startProgram(database.url, SETTINGS)
  const began = performance.now()
  const during: { perSecond: number; p99: number }[] = []
  let left = await database.left()
  while (left > 0) {
    during.push(await fire('create', second.base, LOAD))
    left = await database.left()
    if (performance.now() - began > 300_000) break
  }
  const seconds = (performance.now() - began) / 1000
  second.process.kill()
  await second.ended
  rows.push({
    database: database.name,
    'creates a second': Math.round(idle.perSecond),
    'p99 ms': Math.round(idle.p99),
    'while deleting': Math.round(during[0]?.perSecond ?? 0),
    'p99 ms while deleting': Math.round(during[0]?.p99 ?? 0),
    'deleted a second': Math.round((EVENTS - left) / seconds),
  })
}

console.log(`${availableParallelism()} cores, ${EVENTS} old events`)
const sqlite = onSqlite()
try {
  await measure(sqlite)
} finally {
  await sqlite.stop()
}
const postgres = await onPostgres()
try {
  await measure(postgres)
  const { client } = postgres
  await client.query(
    `create table by_month (like events including defaults, primary key (id)) partition by range (id)`,
  )
  await client.query(
    `create table one_month partition of by_month for values from ('evt_') to ('evt_:')`,
  )
  await fillTable(client, 'by_month')
  const began = performance.now()
  await client.query('drop table one_month')
  console.log(`Dropping the partition of a month took ${Math.round(performance.now() - began)} ms`)
} finally {
  await postgres.stop()
}
console.table(rows)
