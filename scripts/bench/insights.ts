import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inTransaction } from '../../server/db/transaction.ts'
import { startPostgres } from '../../test/postgres.ts'
import { API, AUTHORIZATION, newInstance, openCheckstand } from './merchant.ts'
import { percentile } from './percentile.ts'
import { fillPayments, isFiledAlike } from './seed-payments.ts'

/**
 * How long what the console asks at every visit takes in a shop with a million payments of a year, on SQLite and on
 * PostgreSQL: the search, the totals, and what needs attention. Requests come one after another and without a
 * network. Fails for a 95th percentile above the budget.
 */

const PAYMENTS = Number(process.env['PAYMENTS'] ?? 1_000_000)
const REQUESTS = Number(process.env['REQUESTS'] ?? 200)
const BUDGET_MS = 60
const DAY_MS = 86_400_000

const some = (n: number) => 1 + ((n * 7919) % PAYMENTS)
const order = (n: number) => `order-${String(some(n)).padStart(7, '0')}`
const since = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
const totals = (days: number, by: string) =>
  `totals?${new URLSearchParams({ from: since(days), by, timezone: 'Europe/Paris' }).toString()}`

const SHAPES: Readonly<Record<string, (n: number) => string>> = {
  'search: a reference': (n) => `search?q=${order(n)}`,
  'search: the beginning of a reference': (n) => `search?q=${order(n).slice(0, -3)}`,
  'search: a word that every payment has': () => 'search?q=order',
  'search: an amount': (n) => `search?q=${1 + (n % 99)}.50`,
  'search: a reference and an amount': (n) => `search?q=${order(n)}%20${1 + (n % 99)}`,
  'search: two characters': (n) => `search?q=${10 + (n % 90)}`,
  'search: a word that is nowhere': (n) => `search?q=nowhere${n}`,
  'totals of today': () => totals(1, 'none'),
  'totals of 30 days by day': () => totals(30, 'day'),
  'totals of 365 days by day': () => totals(365, 'day'),
  'totals of a week by hour': () => totals(7, 'hour'),
  'what needs attention': () => 'attention',
}

/** Returns whether all is within the budget. */
async function measure(name: string, databaseUrl: string): Promise<boolean> {
  const checkstand = await openCheckstand({ DATABASE_URL: databaseUrl })
  const { deps } = checkstand
  const { instance } = await newInstance(checkstand)
  const get = async (path: string) => {
    const response = await checkstand.fetch(
      new Request(`http://localhost:4242${API}/${path}`, {
        headers: { authorization: AUTHORIZATION },
      }),
    )
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${text}`)
    return text
  }
  const began = performance.now()
  await fillPayments(checkstand, instance.id, PAYMENTS)
  if (checkstand.database.kind === 'postgres') await sql`vacuum analyze`.execute(deps.db)
  else await sql`analyze`.execute(deps.db)
  // What was filled in by statements is what the product files by itself.
  if (!(await inTransaction(deps.db, (tx) => isFiledAlike(tx, instance.id)))) {
    throw new Error('The words of the payments are not those that the product files')
  }
  const filledS = Math.round((performance.now() - began) / 1000)
  console.log(`\n${name}: ${PAYMENTS} payments, filled in ${filledS} s`)
  const table: Record<string, object> = {}
  let isWithin = true
  for (const [shape, path] of Object.entries(SHAPES)) {
    for (let n = 0; n < REQUESTS / 10; n += 1) await get(path(n))
    const times: number[] = []
    for (let n = 0; n < REQUESTS; n += 1) {
      const asked = performance.now()
      await get(path(n + REQUESTS))
      times.push(performance.now() - asked)
    }
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
    isWithin &&= p95 <= BUDGET_MS
    table[shape] = {
      'p50 ms': Number(p50.toFixed(1)),
      'p95 ms': Number(p95.toFixed(1)),
      within: p95 <= BUDGET_MS ? 'yes' : 'NO',
    }
  }
  console.table(table)
  await checkstand.close()
  return isWithin
}

const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-'))
const onSqlite = await measure('SQLite', `file:${folder}/bench.db`)
rmSync(folder, { recursive: true, force: true })

const postgres = await startPostgres()
const onPostgres = await measure('PostgreSQL', postgres.adminUrl)
await postgres.stop()
if (!onSqlite || !onPostgres) process.exitCode = 1
