import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createApp } from '../../server/app.ts'
import { startPostgres } from '../../test/postgres.ts'
import { planOf, recordStatements } from '../../test/statement-recorder.ts'
import { API, AUTHORIZATION, newInstance, openCheckstand } from './merchant.ts'
import { percentile } from './percentile.ts'
import { fillAccounts } from './seed-accounts.ts'

/**
 * How long a list of 100 000 accounts takes to answer a query, `meta.total` included, on SQLite and
 * on PostgreSQL, and how the database found what it shows. Requests come one after another and
 * without a network, so the times are those of one list and not of a queue. What an index finds is
 * to take single-digit milliseconds; `test/query-plans.test.ts` holds the plans.
 */

const REQUESTS = Number(process.env['REQUESTS'] ?? 200)
/** What looks at every account is asked less often. */
const SLOW_REQUESTS = Math.ceil(REQUESTS / 10)
/** The promise for what an index finds: single-digit milliseconds. */
const BOUND_MS = 10

interface Shape {
  name: string
  /** Whether an index leads to all that is shown and counted; else every account is looked at. */
  indexed: boolean
  query: (n: number) => Record<string, string>
}

const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 100_000)
/** Other instances have the same keys, so a list that forgot whose data it reads would be slow. */
const OTHERS = 4
const BEGAN = Date.parse('2030-01-01T00:00:00.000Z')
const minute = (n: number) => new Date(BEGAN + n * 60_000).toISOString()
/** Some account, another one for each request, so that nothing is answered from a warm page alone. */
const some = (n: number) => (n * 7919) % ACCOUNTS
const crmKey = (n: number) => `crm-${String(some(n)).padStart(7, '0')}`

let ids: string[] = []
const SHAPES: Shape[] = [
  { name: 'crm_key=…', indexed: true, query: (n) => ({ criteria: `crm_key=${crmKey(n)}` }) },
  {
    name: 'crm_key=…;…;… of three',
    indexed: true,
    query: (n) => ({ criteria: `crm_key=${crmKey(n)};${crmKey(n + 1)};${crmKey(n + 2)}` }),
  },
  {
    name: 'crm_key=… without a match',
    indexed: true,
    query: (n) => ({ criteria: `crm_key=unknown-${n}` }),
  },
  {
    name: 'email=…',
    indexed: true,
    query: (n) => ({ criteria: `email=PERSON.${some(n)}@EXAMPLE.COM` }),
  },
  { name: 'id=…', indexed: true, query: (n) => ({ criteria: `id=${ids[n % ids.length]}` }) },
  {
    name: 'id=…;… of twenty',
    indexed: true,
    query: (n) => ({ criteria: `id=${ids.slice(n % 20, (n % 20) + 20).join(';')}` }),
  },
  {
    name: 'created in one day',
    indexed: true,
    query: (n) => ({ criteria: `created>=${minute(some(n))},created<${minute(some(n) + 1440)}` }),
  },
  { name: 'everything, first page', indexed: false, query: () => ({}) },
  { name: 'everything, last page', indexed: false, query: () => ({ offset: '4980' }) },
  {
    name: 'company=… without a match',
    indexed: false,
    query: (n) => ({ criteria: `company=unknown ${n}` }),
  },
  { name: 'tags~=wholesale', indexed: false, query: () => ({ criteria: 'tags~=wholesale' }) },
]

async function measure(name: string, databaseUrl: string): Promise<void> {
  const checkstand = await openCheckstand({ DATABASE_URL: databaseUrl })
  const { deps, parts, database } = checkstand
  const began = performance.now()
  const instances = await Promise.all(
    Array.from({ length: 1 + OTHERS }, (_, n) => newInstance(checkstand, n)),
  )
  await Promise.all(
    instances.map(({ instance }, n) =>
      fillAccounts(deps.db, instance.id, n === 0 ? ACCOUNTS : ACCOUNTS / 10),
    ),
  )
  // What PostgreSQL does by itself within a minute of quiet.
  if (database.kind === 'postgres') await sql`vacuum analyze accounts`.execute(deps.db)
  const filledS = (performance.now() - began) / 1000

  const recorded = recordStatements(deps)
  const { app } = createApp({ ...deps, db: recorded.db, listReads: recorded.lists }, parts)
  const list = async (query: Record<string, string>) => {
    const path = `${API}/accounts?${new URLSearchParams(query).toString()}`
    const response = await app.request(path, { headers: { authorization: AUTHORIZATION } })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`the list answered ${text}`)
    return text
  }
  /** The plans of the statements since the last call, each once. */
  const takePlans = async () => {
    const statements = new Map(recorded.take().map((statement) => [statement.sql, statement]))
    const plans: string[][] = []
    for (const statement of statements.values()) {
      if (!statement.sql.includes('from "accounts"')) continue
      plans.push(await database.reads.read((db) => planOf(db, database.kind, statement)))
    }
    return plans
  }

  const page = JSON.parse(await list({ limit: '100', offset: '2000' })) as {
    accounts: { id: string }[]
    meta: { total: number }
  }
  ids = page.accounts.map(({ id }) => id)
  console.log(
    `\n${name}: ${page.meta.total} accounts of one instance among others, ` +
      `filled in ${filledS.toFixed(1)} s`,
  )
  const table: Record<string, object> = {}
  const explained: string[] = []
  for (const shape of SHAPES) {
    const requests = shape.indexed ? REQUESTS : SLOW_REQUESTS
    for (let n = 0; n < requests / 4; n += 1) await list(shape.query(n))
    recorded.take()
    const times: number[] = []
    for (let n = 0; n < requests; n += 1) {
      const query = shape.query(n)
      const began = performance.now()
      await list(query)
      times.push(performance.now() - began)
    }
    const { total } = (JSON.parse(await list(shape.query(0))) as typeof page).meta
    table[shape.name] = {
      total,
      'p50 ms': Number(percentile(times, 0.5).toFixed(1)),
      'p99 ms': Number(percentile(times, 0.99).toFixed(1)),
      'single-digit': !shape.indexed
        ? 'looks at all'
        : percentile(times, 0.5) < BOUND_MS
          ? 'yes'
          : 'NO',
    }
    const plans = (await takePlans()).map((plan) =>
      plan.map((line) => `      ${line.slice(0, 140)}`),
    )
    explained.push(`  ${shape.name}`, ...plans.flatMap((plan) => ['    statement', ...plan]))
  }
  console.table(table)
  console.log(explained.join('\n'))
  await checkstand.close()
}

const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-'))
await measure('SQLite', `file:${folder}/bench.db`)
rmSync(folder, { recursive: true, force: true })

const postgres = await startPostgres()
await measure('PostgreSQL', postgres.adminUrl)
await postgres.stop()
